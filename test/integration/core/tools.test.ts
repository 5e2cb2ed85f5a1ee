/** Nodes as tools of an AI agent: what a call gives to the model. */
import type { IDataObject, IRun } from 'n8n-workflow';
import { callTool } from '../support/agents';
import { url } from '../support/cases';
import { avatar, batch, session } from '../support/calls';
import { byId } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const jobs = (kind: string) => service.control.jobs(kind) as Array<IDataObject & { id: string }>;
const asked = "={{ $fromAI('words', 'what to say', 'string') }}";
const hello = { words: 'Hello there, this is a long enough text.' };

/** What each call gave to the model: its items, or its error. */
function answersOf(run: IRun): IDataObject[][] {
	const calls = run.data.resultData.runData.Tool ?? [];
	return calls.map(({ data, error }) =>
		error
			? [{ error: error.message }]
			: (data?.ai_tool?.[0] ?? data?.main?.[0] ?? []).map(({ json }) => json),
	);
}

async function call(type: string, parameters: IDataObject, rounds: IDataObject[][] = [[hello]]) {
	return answersOf(await callTool(service, 'newAgent', { type, parameters }, rounds));
}

/** Minutes of the service's clock that go by. */
async function minutes(during: () => Promise<unknown>) {
	const before = service.control.clock.now();
	await during();
	return (service.control.clock.now() - before) / 60;
}

test('without a choice a call does not wait', async () => {
	service.control.holdJobs(true);
	const { waitForCompletion, ...video } = avatar({ script: asked });
	const [[made] = []] = await call('VideoGenVideo', video);
	expect(made).toMatchObject({ video_id: jobs('video')[0]?.id, job: { kind: 'video' } });
	expect(made).not.toHaveProperty('video_url');
});

test.each([
	['VideoGenVideo', avatar({ script: asked }), 'video', 'video_id'],
	['VideoGenAgent', session({ prompt: asked }), 'session', 'session_id'],
])('when the time of %s is over, that is a result', async (type, parameters, kind, id) => {
	service.control.holdJobs(true);
	const waiting = { ...parameters, waitForCompletion: true };
	const [[told] = [], [again] = []] = await call(type, waiting, [[hello], [hello]]);
	const [job] = jobs(kind);
	expect(told).toMatchObject({
		[id]: job?.id,
		status: expect.stringMatching(/pending|waiting|processing|thinking|generating/),
		finished: false,
		job: { kind, id: job?.id },
		note: expect.stringContaining(`Do not create it again`),
	});
	expect(told?.note).toContain(`Call Get later, with ${id} "${job?.id}"`);
	// Who calls again all the same goes on waiting for the same.
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
			video: url('https://files.example/film.mp4'),
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
])('%s says the same of all that is still being made', async (type, parameters, made, id) => {
	service.control.holdJobs(true);
	const [told = []] = await call(type, { ...parameters, waitForCompletion: true } as IDataObject);
	const [[kind, count] = ['', 0]] = Object.entries(made);
	expect(told).toHaveLength(count);
	for (const one of told) {
		expect(one).toMatchObject({ finished: false, [id]: expect.any(String) });
		expect(one.note).toContain(`"${String(one[id])}"`);
		expect(one.job).toEqual({ kind, id: one[id] });
	}
});

test('a call waits 5 minutes, or as long as the user says', async () => {
	service.control.holdJobs(true);
	const video = avatar({ script: asked, waitForCompletion: true });
	const own = await minutes(async () => await call('VideoGenVideo', video));
	expect(own).toBeGreaterThanOrEqual(5);
	expect(own).toBeLessThan(6);
	const longer = { ...video, options: { waitTimeout: 12 } };
	const set = await minutes(async () => await call('VideoGenVideo', longer));
	expect(set).toBeGreaterThanOrEqual(12);
	expect(set).toBeLessThan(13);
});

test('a call that waits long enough gives the finished video', async () => {
	const video = avatar({ script: asked, waitForCompletion: true });
	const [[told] = []] = await call('VideoGenVideo', video);
	expect(told).toMatchObject({
		video_id: jobs('video')[0]?.id,
		status: 'completed',
		video_url: expect.stringContaining('http'),
	});
	expect(told).not.toHaveProperty('finished');
});

test('the same call again is told that nothing new was made; reading is not', async () => {
	const both = await call('VideoGenVideo', avatar({ script: asked }), [[hello], [hello]]);
	expect(both.map(([one]) => one?.repeated !== undefined)).toEqual([false, true]);
	expect(both[1]?.[0]?.video_id).toBe(both[0]?.[0]?.video_id);
	const [job] = jobs('video');
	const read = { operation: 'get', video_id: byId(String(job?.id)) };
	const looks = await call('VideoGenVideo', read, [[{}], [{}]]);
	expect(looks.map(([one]) => one?.video_id)).toEqual([job?.id, job?.id]);
	expect(looks.flat().filter((one) => one.repeated)).toEqual([]);
});

test('Pay for Repeated Calls is checked, and may come from an expression', async () => {
	const chosen = (payEachCall: unknown) =>
		({ ...avatar({ script: asked }), options: { payEachCall } }) as IDataObject;
	const [[told] = []] = await call('VideoGenVideo', chosen('={{ "perhaps" }}'));
	expect(told?.error).toContain('"Pay for Repeated Calls" must be');
	expect(service.control.requests()).toEqual([]);
	await call('VideoGenVideo', chosen('={{ "true" }}'), [[hello], [hello]]);
	expect(jobs('video')).toHaveLength(2);
});

test('Same Request reaches beyond the execution where the user chose it', async () => {
	const chosen = { ...avatar({ script: asked }), options: { payOncePer: 'request' } };
	await call('VideoGenVideo', chosen);
	await call('VideoGenVideo', chosen);
	expect(jobs('video')).toHaveLength(1);
	await call('VideoGenVideo', avatar({ script: asked }));
	await call('VideoGenVideo', avatar({ script: asked }));
	expect(jobs('video')).toHaveLength(3);
});

test.each([
	['VideoGenVideo', { operation: 'delete', video_id: byId('some') }],
	['VideoGenAgent', { operation: 'stop', session_id: byId('some') }],
	['VideoGenWebhook', { operation: 'rotateSecret', endpoint_id: byId('some') }],
	['VideoGenWorkflow', { resource: 'run', operation: 'cancel', run_id: byId('some') }],
])('what cannot be taken back is refused: %s %j', async (type, parameters) => {
	const [[told] = []] = await call(type, parameters);
	expect(told?.error).toContain('cannot be done by an AI agent: nothing was changed');
	expect(told?.error).toContain('Tell the user');
	expect(service.control.requests()).toEqual([]);
});

test('an error says in its message what the model must know', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'The face was lost' });
	const video = avatar({ script: asked, waitForCompletion: true });
	const [[told] = []] = await call('VideoGenVideo', video);
	expect(told?.error).toContain('The video failed: The face was lost.');
	expect(told?.error).toContain(jobs('video')[0]?.id);
	expect(told?.error).not.toContain('[item 0]');
});

test('20 videos are told in less than 4,000 characters', async () => {
	for (let i = 0; i < 20; i++) {
		await call('VideoGenVideo', avatar({ script: asked }), [[{ words: `${hello.words} ${i}` }]]);
	}
	const list = { operation: 'getMany', limit: 20 };
	const [told = []] = await call('VideoGenVideo', list);
	expect(told).toHaveLength(20);
	expect(new Set(told.map(({ video_id }) => video_id))).toEqual(
		new Set(jobs('video').map(({ id }) => id)),
	);
	expect(JSON.stringify(told).length).toBeLessThan(4_000);
	for (const one of told) expect(one).toMatchObject({ status: expect.any(String) });
});

test('an empty list says so', async () => {
	const [told] = await call('VideoGenClipping', { operation: 'getMany' });
	expect(told).toEqual([{ found: 0, note: 'Nothing was found.' }]);
});
