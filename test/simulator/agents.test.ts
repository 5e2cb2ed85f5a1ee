import { useSimulator } from './support';

const simulator = useSimulator({ jobSeconds: 100 });
const { call, data, rejection } = simulator;

const advance = (seconds: number) => simulator.control.clock.advance(seconds);
const prompt = 'A video about bread';

const open = async (body: object = { prompt }) =>
	(await data('POST /v3/video-agents', body)).session_id as string;
const openChat = (text = prompt) => open({ prompt: text, mode: 'chat' });
const read = (id: string) => data(`GET /v3/video-agents/${id}`);
const sendMessage = (id: string, message: string) =>
	data(`POST /v3/video-agents/${id}`, { message });
const approve = (id: string) => sendMessage(id, 'Yes, continue.');
const readScenes = (videoId: string) => data(`GET /v3/videos/${videoId}/scenes`);

async function readAfter(id: string, seconds: number) {
	advance(seconds);
	return read(id);
}

test('a session goes from thinking to completed', async () => {
	const created = await data('POST /v3/video-agents', {
		prompt,
		style_id: 'style_001',
		brand_kit_id: 'kit_001',
		brand_glossary_id: 'glossary_001',
		orientation: 'portrait',
	});
	expect(created).toMatchObject({ status: 'thinking', video_id: null });
	const id = created.session_id;
	expect(await read(id)).toMatchObject({ status: 'thinking', video_id: null, progress: 0 });
	const generating = await readAfter(id, 30);
	expect(generating).toMatchObject({ status: 'generating', title: prompt });
	expect((await data(`GET /v3/videos/${generating.video_id}`)).status).toBe('processing');
	expect((await readAfter(id, 62)).status).toBe('reviewing');
	const done = await readAfter(id, 10);
	expect(done).toMatchObject({ status: 'completed', progress: 100, video_id: generating.video_id });
	expect(done.messages[0]).toMatchObject({ role: 'model', type: 'resource' });
	expect(done.messages.at(-1)).toMatchObject({ role: 'user', content: prompt });
	expect(await data(`GET /v3/videos/${done.video_id}`)).toMatchObject({
		status: 'completed',
		video_url: expect.stringContaining('/media/'),
		captioned_video_url: expect.stringContaining('/media/'),
	});
	const { video } = await readScenes(done.video_id);
	expect(video).toMatchObject({ aspect_ratio: '9:16', brand_glossary_id: 'glossary_001' });
});

test('every turn of a chat waits for its user, and returns a video if it was approved', async () => {
	const id = await openChat('Should we show bread?');
	const waiting = await readAfter(id, 101);
	expect(waiting).toMatchObject({ status: 'waiting_for_input', video_id: null });
	const [draftId] = waiting.messages[0].resource_ids;
	const resource = await data(`GET /v3/video-agents/${id}/resources/${draftId}`);
	expect(resource).toMatchObject({ resource_id: draftId, resource_type: 'draft' });
	for (const [message, status, video_id] of [
		['Yes, continue.', 'completed', expect.any(String)],
		['Make it longer.', 'reviewing', null],
		['Or shorter?', 'waiting_for_input', null],
		['Yes, continue.', 'completed', expect.any(String)],
	] as const) {
		expect(await sendMessage(id, message)).toMatchObject({ session_id: id, video_id });
		expect((await readAfter(id, 1000)).status).toBe(status);
	}
	const videos = (await data(`GET /v3/video-agents/${id}/videos`)) as Array<{ id: string }>;
	expect(new Set(videos.map((row) => row.id)).size).toBe(2);
});

test('in mode generate, a question and the review pass automatically', async () => {
	const id = await open({ prompt: 'Should we show bread?' });
	const seen = new Set<string>();
	for (let second = 0; second < 101; second += 5) {
		seen.add((await read(id)).status);
		advance(5);
	}
	const passed = ['thinking', 'waiting_for_input', 'generating', 'reviewing', 'completed'];
	expect([...seen]).toEqual(passed);
});

test.each(['reviewing', 'waiting_for_input'] as const)(
	'restNext makes the next turn wait in %s',
	async (status) => {
		simulator.control.restNext(status);
		const id = await openChat();
		expect((await readAfter(id, 101)).status).toBe(status);
		await call('POST /_control/rest-next', { status });
		await approve(id);
		expect((await readAfter(id, 101)).status).toBe(status);
		await approve(id);
		expect((await readAfter(id, 101)).status).toBe('completed');
	},
);

test('a message replaces the waiting turn and its pending failure', async () => {
	const id = await openChat('Should we show bread?');
	expect((await readAfter(id, 30)).status).toBe('waiting_for_input');
	simulator.control.failJob(id, 'quota_exceeded', 'No more');
	await approve(id);
	expect(await readAfter(id, 75)).toMatchObject({ status: 'generating', progress: 60 });
	expect((await readAfter(id, 30)).status).toBe('completed');
});

test('endJob runs all steps of a session', async () => {
	const id = await open();
	simulator.control.holdJobs(true);
	simulator.control.endJob(id);
	const { status, video_id } = await read(id);
	expect([status, typeof video_id]).toEqual(['completed', 'string']);
});

test('a failing turn does not wait for its user', async () => {
	const error = { code: 'free_tier_quota_exceeded', message: 'No more' };
	simulator.control.failNext('session', error);
	const id = await openChat();
	expect((await readAfter(id, 30)).status).toBe('generating');
	expect(await readAfter(id, 80)).toMatchObject({ status: 'failed', error });
});

test('a prompt with FAIL fails; the newest message has the reason', async () => {
	const id = await open({ prompt: 'FAIL please' });
	const { status, error, messages } = await readAfter(id, 101);
	const content = 'The video could not be rendered';
	expect([status, error]).toEqual(['failed', { code: 'generation_failed', message: content }]);
	expect(messages[0]).toMatchObject({ role: 'model', type: 'error', content });
});

test('a stopped session renders no video', async () => {
	const id = await open();
	advance(30);
	expect(await data(`POST /v3/video-agents/${id}/stop`)).toEqual({ session_id: id });
	expect((await readAfter(id, 200)).status).toBe('waiting_for_input');
});

describe('an edit plan', () => {
	async function createChatVideo() {
		const id = await openChat();
		advance(101);
		const { video_id: video } = await approve(id);
		advance(101);
		const snapshot = await readScenes(video);
		const change = (scene: number, text: string, more = {}) => ({
			scene_id: snapshot.scenes[scene].id,
			text,
			scene_snapshot_video_id: video,
			edit_version: snapshot.edit_version,
			...more,
		});
		return { line: `POST /v3/video-agents/${id}`, id, video, snapshot, change };
	}

	test('changes its scenes in one turn, without a review, and keeps the others', async () => {
		const { line, id, video, snapshot, change } = await createChatVideo();
		const turn = await data(line, { edit_plan: [change(0, 'Say "Rye is best." here')] });
		const edited = await readScenes(turn.video_id);
		expect(edited.scenes[0].script.text).toBe('Rye is best.');
		expect(edited.scenes[1]).toEqual(snapshot.scenes[1]);
		const { status, video_id } = await readAfter(id, 101);
		expect([status, video_id]).toEqual(['completed', turn.video_id]);
		const videos = (await data(`GET /v3/video-agents/${id}/videos`)) as Array<{ id: string }>;
		expect(videos.map((row) => row.id)).toEqual([turn.video_id, video]);
	});

	test.each([
		['a scene outside the snapshot', { scene_id: 'elsewhere' }, 'scene_id'],
		['another snapshot', { scene_snapshot_video_id: 'video_001' }, 'scene_snapshot_video_id'],
	])('is rejected as a whole for %s', async (_name, more, param) => {
		const { line, id, change } = await createChatVideo();
		const edit_plan = [change(0, 'Shorter'), change(1, 'Longer', more)];
		const rejected = [400, 'invalid_parameter', `edit_plan[1].${param}`];
		expect(await rejection(line, { edit_plan })).toEqual(rejected);
		expect((await read(id)).status).toBe('completed');
	});

	test('is rejected if the snapshot has changed since it was read', async () => {
		const { line, video, change } = await createChatVideo();
		await data(line, { edit_plan: [change(0, 'Shorter')] });
		advance(101);
		const stale = { edit_plan: [change(0, 'Longer')] };
		const rejected = [409, 'stale_edit_version', 'edit_plan[0].edit_version'];
		expect(await rejection(line, stale)).toEqual(rejected);
		const { edit_version } = await readScenes(video);
		await data(line, { edit_plan: [change(0, 'Longer', { edit_version })] });
	});
});

test('a turn needs a message or a plan, and a session that accepts messages', async () => {
	const line = `POST /v3/video-agents/${await open()}`;
	const kit = { brand_kit_id: 'kit_002' };
	expect(await rejection(line, kit)).toEqual([400, 'invalid_parameter', 'message']);
	expect(await rejection(line, { message: 'Faster' })).toEqual([409, 'resource_not_ready', null]);
});

test('the legacy create responds in the v1 envelope, with the video', async () => {
	const { body } = await call('POST /v1/video_agent/generate', { prompt, duration_sec: 10 });
	const ids = { video_id: expect.any(String), session_id: expect.any(String) };
	expect(body).toEqual({ error: null, data: ids });
	advance(101);
	expect((await data(`GET /v3/videos/${body.data.video_id}`)).status).toBe('completed');
	const rejected = await call('POST /v1/video_agent/generate', { prompt: '' });
	const error = { code: 'invalid_parameter', message: expect.any(String) };
	expect([rejected.status, rejected.body]).toEqual([400, { data: null, error }]);
});
