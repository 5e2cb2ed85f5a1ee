/** Nodes as tools of an AI agent: what a call returns to the model. */
import type { IDataObject, IRun } from 'n8n-workflow';
import { callTool } from '../support/agents';
import { avatar, batch, createCalls, session } from '../support/calls';
import { url } from '../support/cases';
import { byId } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const { jobs } = createCalls(service);
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

async function callNode(
	type: string,
	parameters: IDataObject,
	rounds: IDataObject[][] = [[hello]],
) {
	return readResponses(await callTool(service, 'newAgent', { type, parameters }, rounds));
}

/** Rounded minutes that pass on the clock of the service. */
async function measureMinutes(during: () => Promise<unknown>) {
	const before = service.control.clock.now();
	await during();
	return Math.round((service.control.clock.now() - before) / 60);
}

test('by default, a call does not wait', async () => {
	service.control.holdJobs(true);
	const { waitForCompletion, ...video } = avatar({ script: modelInput });
	const [[created] = []] = await callNode('VideoGenVideo', video);
	expect(created).toMatchObject({ video_id: jobs('video')[0]?.id, job: { kind: 'video' } });
	expect(created).not.toHaveProperty('video_url');
});

test.each([
	['VideoGenVideo', avatar({ script: modelInput }), 'video', 'video_id'],
	['VideoGenAgent', session({ prompt: modelInput }), 'session', 'session_id'],
])('%s: a wait that times out is a result, not an error', async (type, parameters, kind, id) => {
	service.control.holdJobs(true);
	const waiting = { ...parameters, waitForCompletion: true };
	const [[result] = [], [again] = []] = await callNode(type, waiting, [[hello], [hello]]);
	const [job] = jobs(kind);
	expect(result).toMatchObject({
		[id]: job?.id,
		status: expect.stringMatching(/pending|waiting|processing|thinking|generating/),
		finished: false,
		job: { kind, id: job?.id },
		note: expect.stringContaining(`Do not create it again`),
	});
	expect(result?.note).toContain(`Call Get later, with ${id} "${job?.id}"`);
	// The same call again waits for the same job.
	expect(again).toMatchObject({ [id]: job?.id, finished: false });
	expect(jobs(kind)).toHaveLength(1);
});

test.each([
	[
		'VideoGenClipping',
		{ operation: 'create', video: url('https://files.example/long.mp4') },
		{ clipping: 1 },
		'job_id',
	],
	[
		'VideoGenTranslation',
		{
			operation: 'create',
			video: url('https://files.example/video.mp4'),
			output_languages: ['German', 'French'],
		},
		{ translation: 2 },
		'video_translation_id',
	],
	[
		'VideoGenModelVideo',
		{ operation: 'textToVideo', prompt: 'A fox in the snow', modelFrom: 'name', model: 'model-1' },
		{ model_video: 1 },
		'video_id',
	],
	[
		'VideoGenVideo',
		batch({ script: 'Hello, this is a long enough text.' }),
		{ video_batch: 1 },
		'batch_id',
	],
])('%s reports each job that is still running', async (type, parameters, created, id) => {
	service.control.holdJobs(true);
	const [result = []] = await callNode(type, {
		...parameters,
		waitForCompletion: true,
	} as IDataObject);
	const [[kind, count] = ['', 0]] = Object.entries(created);
	expect(result).toHaveLength(count);
	for (const one of result) {
		expect(one).toMatchObject({ finished: false, [id]: expect.any(String) });
		expect(one.note).toContain(`"${String(one[id])}"`);
		expect(one.job).toEqual({ kind, id: one[id] });
	}
});

test('a call waits for 5 minutes, or for Wait Timeout', async () => {
	service.control.holdJobs(true);
	const video = avatar({ script: modelInput, waitForCompletion: true });
	const byDefault = await measureMinutes(async () => await callNode('VideoGenVideo', video));
	expect(byDefault).toBe(5);
	const longer = { ...video, options: { waitTimeout: 12 } };
	const selected = await measureMinutes(async () => await callNode('VideoGenVideo', longer));
	expect(selected).toBe(12);
});

test('a repeated create reports that no new job was created; a repeated read does not', async () => {
	const both = await callNode('VideoGenVideo', avatar({ script: modelInput }), [[hello], [hello]]);
	expect(both.map(([one]) => one?.repeated !== undefined)).toEqual([false, true]);
	expect(both[1]?.[0]?.video_id).toBe(both[0]?.[0]?.video_id);
	const [job] = jobs('video');
	const read = { operation: 'get', video_id: byId(String(job?.id)) };
	const reads = await callNode('VideoGenVideo', read, [[{}], [{}]]);
	expect(reads.map(([one]) => one?.video_id)).toEqual([job?.id, job?.id]);
	expect(reads.flat().filter((one) => one.repeated)).toEqual([]);
});

test('Pay for Repeated Calls is validated, and accepts an expression', async () => {
	const chosen = (payEachCall: unknown) =>
		({ ...avatar({ script: modelInput }), options: { payEachCall } }) as IDataObject;
	const [[result] = []] = await callNode('VideoGenVideo', chosen('={{ "perhaps" }}'));
	expect(result?.error).toContain('"Pay for Repeated Calls" must be');
	expect(service.control.requests()).toEqual([]);
	await callNode('VideoGenVideo', chosen('={{ "true" }}'), [[hello], [hello]]);
	expect(jobs('video')).toHaveLength(2);
});

test('Same Request applies across executions', async () => {
	const chosen = { ...avatar({ script: modelInput }), options: { payOncePer: 'request' } };
	await callNode('VideoGenVideo', chosen);
	await callNode('VideoGenVideo', chosen);
	expect(jobs('video')).toHaveLength(1);
	await callNode('VideoGenVideo', avatar({ script: modelInput }));
	await callNode('VideoGenVideo', avatar({ script: modelInput }));
	expect(jobs('video')).toHaveLength(3);
});

test.each([
	['VideoGenVideo', { operation: 'delete', video_id: byId('some') }],
	['VideoGenAgent', { operation: 'stop', session_id: byId('some') }],
	['VideoGenWebhook', { operation: 'rotateSecret', endpoint_id: byId('some') }],
	['VideoGenWorkflow', { resource: 'run', operation: 'cancel', run_id: byId('some') }],
])('an action that cannot be undone is refused: %s %j', async (type, parameters) => {
	const [[result] = []] = await callNode(type, parameters);
	expect(result?.error).toContain('cannot be done by an AI agent: nothing was changed');
	expect(result?.error).toContain('Tell the user');
	expect(service.control.requests()).toEqual([]);
});

test('an error message shows the reason and the job', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const video = avatar({ script: modelInput, waitForCompletion: true });
	const [[result] = []] = await callNode('VideoGenVideo', video);
	expect(result?.error).toContain('The video failed: The face was lost.');
	expect(result?.error).toContain(jobs('video')[0]?.id);
	expect(result?.error).not.toContain('[item 0]');
});
