/** Nodes as tools of an AI agent: what a call returns to the model. */
import type { IDataObject, INodeParameters, IRun } from 'n8n-workflow';
import { callTool } from '../support/agents';
import { avatar, batch, createCalls, getVideo, session } from '../support/calls';
import { url } from '../support/cases';
import { byId } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const { jobs, failRenders } = createCalls(service);
const modelInput = "={{ $fromAI('words', 'what to say', 'string') }}";
const hello = { words: 'Hello there, this is a long enough text.' };

/** What each call returned to the model: its items, or its error. */
function readResponses(run: IRun): IDataObject[][] {
	const calls = run.data.resultData.runData.Tool ?? [];
	return calls.map(({ data, error }) =>
		error
			? [{ error: error.message }]
			: (data?.ai_tool?.[0] ?? data?.main?.[0] ?? []).map(({ json }) => json),
	);
}

const callNode = async (
	type: string,
	parameters: IDataObject,
	rounds: IDataObject[][] = [[hello]],
) => readResponses(await callTool(service, 'newAgent', { type, parameters }, rounds));

/** VideoGen Video: a create with the words of the model. */
const video = (more: INodeParameters = {}): IDataObject => ({
	...avatar({ script: modelInput, ...more }),
});
const awaited = video({ waitForCompletion: true });

test('without Wait for Completion, a call does not wait', async () => {
	service.control.holdJobs(true);
	const [[created] = []] = await callNode('VideoGenVideo', video({ waitForCompletion: false }));
	const [job] = jobs('video');
	expect(created).toMatchObject({ video_id: job?.id, job: { kind: 'video' } });
	expect(created).not.toHaveProperty('video_url');
	// Before the request, n8n loads its agent, while virtual time may pass.
	expect(service.control.clock.now() - Number(job?.created)).toBeLessThan(60);
});

test.each([
	['VideoGenVideo', avatar({ script: modelInput }), 'video', 'video_id'],
	['VideoGenAgent', session({ prompt: modelInput }), 'session', 'session_id'],
])('%s: a wait that times out is a result, not an error', async (type, parameters, kind, id) => {
	service.control.holdJobs(true);
	const form = { ...parameters, waitForCompletion: true };
	const [[result] = [], [again] = []] = await callNode(type, form, [[hello], [hello]]);
	const [job] = jobs(kind);
	expect(result).toMatchObject({
		[id]: job?.id,
		status: expect.stringMatching(/pending|waiting|processing|thinking|generating/),
		finished: false,
		job: { kind, id: job?.id },
		note: expect.stringContaining(`Do not create it again`),
	});
	expect(result?.note).toContain(`call Get, with ${id} "${job?.id}"`);
	// The same call again waits for the same job.
	expect(again).toMatchObject({ [id]: job?.id, finished: false });
	expect(jobs(kind)).toHaveLength(1);
});

const file = url('https://files.example/long.mp4');
const model = { modelFrom: 'name', model: 'model-1' };
test.each<[string, INodeParameters, string, number, string]>([
	['VideoGenClipping', { operation: 'create', video: file }, 'clipping', 1, 'job_id'],
	[
		'VideoGenTranslation',
		{ operation: 'create', video: file, output_languages: ['German', 'French'] },
		'translation',
		2,
		'video_translation_id',
	],
	[
		'VideoGenModelVideo',
		{ operation: 'textToVideo', prompt: 'A fox in the snow', ...model },
		'model_video',
		1,
		'video_id',
	],
	['VideoGenVideo', batch({ script: 'Hello, a long enough text.' }), 'video_batch', 1, 'batch_id'],
])('%s reports each job that is still running', async (type, parameters, kind, count, id) => {
	service.control.holdJobs(true);
	const [result = []] = await callNode(type, { ...parameters, waitForCompletion: true });
	expect(result).toHaveLength(count);
	for (const one of result) {
		expect(one).toMatchObject({ finished: false, [id]: expect.any(String) });
		expect(one.note).toContain(`"${String(one[id])}"`);
		expect(one.job).toEqual({ kind, id: one[id] });
	}
});

test.each([
	['for 30 minutes', {}, 30],
	['for Wait Timeout', { waitTimeout: 12 }, 12],
])('a call waits %s', async (_, options, minutes) => {
	service.control.holdJobs(true);
	const before = service.control.clock.now();
	await callNode('VideoGenVideo', { ...awaited, options });
	expect(Math.round((service.control.clock.now() - before) / 60)).toBe(minutes);
});

test('a repeated create reports that no new job was created; a repeated read does not', async () => {
	const both = await callNode('VideoGenVideo', video(), [[hello], [hello]]);
	const [job] = jobs('video');
	expect(both.map(([one]) => [one?.video_id, one?.repeated !== undefined])).toEqual([
		[job?.id, false],
		[job?.id, true],
	]);
	const reads = await callNode('VideoGenVideo', getVideo(String(job?.id)), [[{}], [{}]]);
	expect(reads.map(([one]) => [one?.video_id, one?.repeated])).toEqual([
		[job?.id, undefined],
		[job?.id, undefined],
	]);
});

test('Allow Repeated Calls is validated, and accepts an expression', async () => {
	const chosen = (payEachCall: string) => video({ options: { payEachCall } });
	const [[result] = []] = await callNode('VideoGenVideo', chosen('={{ "perhaps" }}'));
	expect(result?.error).toContain('"Allow Repeated Calls" must be');
	expect(service.control.requests()).toEqual([]);
	await callNode('VideoGenVideo', chosen('={{ "true" }}'), [[hello], [hello]]);
	expect(jobs('video')).toHaveLength(2);
});

test('Unique Request applies across executions', async () => {
	for (const options of [{ payOncePer: 'request' }, {}]) {
		for (let execution = 0; execution < 2; execution++) {
			await callNode('VideoGenVideo', video({ options }));
		}
	}
	expect(jobs('video')).toHaveLength(1 + 2);
});

test.each([
	['VideoGenVideo', { operation: 'delete', video_id: byId('some') }],
	['VideoGenAgent', { operation: 'stop', session_id: byId('some') }],
	['VideoGenWebhook', { operation: 'rotateSecret', endpoint_id: byId('some') }],
	['VideoGenWorkflow', { resource: 'run', operation: 'cancel', run_id: byId('some') }],
])('an action that cannot be undone is rejected: %s %j', async (type, parameters) => {
	const [[result] = []] = await callNode(type, parameters);
	expect(result?.error).toContain('cannot be done by an AI agent: nothing was changed');
	expect(result?.error).toContain('Tell the user');
	expect(service.control.requests()).toEqual([]);
});

test('an error message shows the reason and the job', async () => {
	failRenders();
	const [[result] = []] = await callNode('VideoGenVideo', awaited);
	expect(result?.error).toContain('The video failed: The face was lost.');
	expect(result?.error).toContain(jobs('video')[0]?.id);
	expect(result?.error).not.toContain('[row 1]');
});
