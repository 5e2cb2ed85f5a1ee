import { startSimulator, type Simulator } from '../../simulator';
import { caller, type Caller } from './support';

let simulator: Simulator;
let call: Caller;

beforeEach(async () => {
	simulator = await startSimulator({ jobSeconds: 100 });
	call = caller(simulator);
});
afterEach(() => simulator.close());

const advance = (seconds: number) => simulator.control.clock.advance(seconds);

async function open(body: object) {
	const { body: reply } = await call('POST /v3/video-agents', body);
	return reply.data.session_id as string;
}

const read = async (id: string) => (await call(`GET /v3/video-agents/${id}`)).body.data;

async function finished(body: object) {
	const id = await open(body);
	advance(101);
	return { id, session: await read(id) };
}

const scenesOf = async (videoId: string) =>
	(await call(`GET /v3/videos/${videoId}/scenes`)).body.data;

test('a session goes from thinking to completed', async () => {
	const created = await call('POST /v3/video-agents', {
		prompt: 'A film about bread',
		style_id: 'style_001',
		brand_kit_id: 'kit_001',
		brand_glossary_id: 'glossary_001',
		orientation: 'portrait',
		incognito_mode: true,
	});
	expect(created.body.data).toEqual({
		session_id: expect.any(String),
		status: 'thinking',
		video_id: null,
		created_at: expect.any(Number),
	});
	const id = created.body.data.session_id;
	expect(await read(id)).toMatchObject({ status: 'thinking', video_id: null, progress: 0 });
	advance(30);
	const generating = await read(id);
	expect(generating).toMatchObject({ status: 'generating', title: 'A film about bread' });
	expect((await call(`GET /v3/videos/${generating.video_id}`)).body.data.status).toBe('processing');
	advance(62);
	expect((await read(id)).status).toBe('reviewing');
	advance(10);
	const done = await read(id);
	expect(done).toMatchObject({ status: 'completed', progress: 100, video_id: generating.video_id });
	expect(done.messages[0]).toMatchObject({ role: 'model', type: 'resource' });
	expect(done.messages.at(-1)).toMatchObject({ role: 'user', content: 'A film about bread' });
	expect((await call(`GET /v3/videos/${done.video_id}`)).body.data).toMatchObject({
		status: 'completed',
		video_url: expect.stringContaining('/media/'),
		captioned_video_url: expect.stringContaining('/media/'),
	});
	const scenes = await scenesOf(done.video_id);
	expect(scenes.video).toMatchObject({ aspect_ratio: '9:16', brand_glossary_id: 'glossary_001' });
});

test('shows every kind of element and script somewhere', async () => {
	const { session } = await finished({ prompt: 'A film about bread' });
	const { scenes } = await scenesOf(session.video_id);
	const elements = scenes.flatMap((scene: { elements: Array<{ type: string; children?: [] }> }) =>
		scene.elements.flatMap((element) => [element, ...(element.children ?? [])]),
	);
	expect(elements.map(({ type }: { type: string }) => type).sort()).toEqual(
		['avatar', 'container', 'image', 'placeholder', 'video'].sort(),
	);
	expect(scenes.map(({ script }: { script: { type: string } }) => script.type)).toEqual([
		'text',
		'text',
		'silence',
	]);
});

test('a chat that ends in a question waits for its answer, and films then', async () => {
	const id = await open({ prompt: 'Shall we film bread?', mode: 'chat' });
	advance(101);
	const waiting = await read(id);
	expect(waiting).toMatchObject({ status: 'waiting_for_input', video_id: null });
	const draftId = waiting.messages[0].resource_ids[0];
	expect(draftId).toMatch(/^draft_/);
	const resource = await call(`GET /v3/video-agents/${id}/resources/${draftId}`);
	expect(resource.body.data).toMatchObject({ resource_id: draftId, resource_type: 'draft' });
	const turn = await call(`POST /v3/video-agents/${id}`, { message: 'Yes, go on.' });
	expect(turn.body.data).toMatchObject({ session_id: id, video_id: expect.any(String) });
	advance(101);
	const done = await read(id);
	expect(done).toMatchObject({ status: 'completed', video_id: turn.body.data.video_id });
});

const answer = async (id: string, message: string) =>
	(await call(`POST /v3/video-agents/${id}`, { message })).body.data;

test('a chat rests with its storyboard under review until the user approves it', async () => {
	const id = await open({ prompt: 'A film about bread', mode: 'chat' });
	advance(1000);
	const reviewing = await read(id);
	expect(reviewing).toMatchObject({ status: 'reviewing', video_id: null });
	expect(reviewing.messages[0]).toMatchObject({ role: 'model', type: 'resource' });
	expect(reviewing.messages[0].resource_ids).toEqual([expect.stringMatching(/^draft_/)]);
	const { video_id } = await answer(id, 'Yes, go on.');
	expect(video_id).toEqual(expect.any(String));
	advance(95);
	expect(await read(id)).toMatchObject({ status: 'generating', progress: 90 });
	advance(10);
	expect(await read(id)).toMatchObject({ status: 'completed', video_id });
});

test('a later turn of a chat rests again, asked or not, and names no draft', async () => {
	const id = await open({ prompt: 'A film about bread', mode: 'chat' });
	advance(101);
	const { video_id } = await answer(id, 'Yes, go on.');
	advance(101);
	for (const [message, status] of [
		['Could it be longer?', 'waiting_for_input'],
		['Yes, go on.', 'completed'],
		['Make it longer.', 'reviewing'],
		['Or shorter?', 'waiting_for_input'],
		['Yes, go on.', 'completed'],
	] as const) {
		const turn = await answer(id, message);
		if (status === 'completed') expect(turn.video_id).not.toBe(video_id);
		else expect(turn.video_id).toBeNull();
		advance(1000);
		expect((await read(id)).status).toBe(status);
	}
	expect((await call(`GET /v3/video-agents/${id}/videos`)).body.data).toHaveLength(3);
});

test('in mode generate a question and the review pass by themselves', async () => {
	const id = await open({ prompt: 'Shall we film bread?' });
	const seen = new Set<string>();
	for (let second = 0; second < 101; second += 5) {
		seen.add((await read(id)).status);
		advance(5);
	}
	const passed = ['thinking', 'waiting_for_input', 'generating', 'reviewing', 'completed'];
	expect([...seen]).toEqual(passed);
	await answer(id, 'Longer?');
	advance(101);
	expect((await read(id)).status).toBe('completed');
});

test.each(['reviewing', 'waiting_for_input'] as const)(
	'any turn of a chat rests in %s when told so',
	async (status) => {
		simulator.control.restNext(status);
		const id = await open({ prompt: 'A film about bread', mode: 'chat' });
		advance(101);
		expect((await read(id)).status).toBe(status);
		await call('POST /_control/rest-next', { status });
		await answer(id, 'Yes, go on.');
		advance(101);
		expect((await read(id)).status).toBe(status);
		await answer(id, 'Yes, go on.');
		advance(101);
		expect((await read(id)).status).toBe('completed');
	},
);

test('an answer replaces the turn that asked, with whatever awaited it', async () => {
	const id = await open({ prompt: 'Shall we film bread?', mode: 'chat' });
	advance(30);
	expect((await read(id)).status).toBe('waiting_for_input');
	simulator.control.failJob(id, 'quota_exceeded', 'No more');
	await answer(id, 'Yes, go on.');
	advance(75);
	expect(await read(id)).toMatchObject({ status: 'generating', progress: 60 });
	advance(30);
	expect((await read(id)).status).toBe('completed');
});

test('a session that is told to end has gone all its way', async () => {
	const id = await open({ prompt: 'A film about bread' });
	simulator.control.holdJobs(true);
	simulator.control.endJob(id);
	const { status, video_id } = await read(id);
	expect([status, typeof video_id]).toEqual(['completed', 'string']);
	simulator.control.holdJobs(false);
});

test('a turn that fails does not rest on its way', async () => {
	simulator.control.failNext('session', { code: 'free_tier_quota_exceeded', message: 'No more' });
	const id = await open({ prompt: 'A film about bread', mode: 'chat' });
	advance(30);
	expect((await read(id)).status).toBe('generating');
	advance(80);
	expect(await read(id)).toMatchObject({
		status: 'failed',
		error: { code: 'free_tier_quota_exceeded', message: 'No more' },
	});
});

test('a failed session without an error tells its reason in its newest message', async () => {
	const id = await open({ prompt: 'FAIL please' });
	advance(101);
	simulator.control.fail({ path: `/v3/video-agents/${id}`, without: ['error'] });
	const session = await read(id);
	expect(session).toMatchObject({ status: 'failed' });
	expect(session).not.toHaveProperty('error');
	expect(session.messages[0]).toMatchObject({
		role: 'model',
		type: 'error',
		content: 'The video could not be rendered',
	});
});

test('a prompt with FAIL ends failed with an error', async () => {
	const { session } = await finished({ prompt: 'FAIL please' });
	expect(session.status).toBe('failed');
	expect(session.error).toEqual({ code: 'generation_failed', message: expect.any(String) });
	expect(session.messages[0].type).toBe('error');
});

test('a stopped session makes no film', async () => {
	const id = await open({ prompt: 'A film about bread' });
	advance(30);
	expect((await call(`POST /v3/video-agents/${id}/stop`)).body.data).toEqual({ session_id: id });
	advance(200);
	expect((await read(id)).status).toBe('waiting_for_input');
});

describe('an edit plan', () => {
	async function ready() {
		const { id, session } = await finished({ prompt: 'A film about bread' });
		const snapshot = await scenesOf(session.video_id);
		const change = (scene: number, text: string, more = {}) => ({
			scene_id: snapshot.scenes[scene].id,
			text,
			scene_snapshot_video_id: session.video_id,
			edit_version: snapshot.edit_version,
			...more,
		});
		const edit = (plan: object[]) => call(`POST /v3/video-agents/${id}`, { edit_plan: plan });
		return { id, session, snapshot, change, edit };
	}

	test('changes its scenes in one turn and keeps the others', async () => {
		const { id, session, snapshot, change, edit } = await ready();
		const reply = await edit([change(0, 'Say "Rye is best." here')]);
		expect(reply.status).toBe(200);
		const draft = reply.body.data.video_id;
		expect(draft).not.toBe(session.video_id);
		const edited = await scenesOf(draft);
		expect(edited.scenes[0].script.text).toBe('Rye is best.');
		expect(edited.scenes[1]).toEqual(snapshot.scenes[1]);
		advance(101);
		expect((await read(id)).video_id).toBe(draft);
		const videos = await call(`GET /v3/video-agents/${id}/videos`);
		expect(videos.body.data.map((row: { id: string }) => row.id)).toEqual([
			draft,
			session.video_id,
		]);
	});

	test('films at once in a chat as well', async () => {
		const id = await open({ prompt: 'A film about bread', mode: 'chat' });
		advance(101);
		const { video_id } = await answer(id, 'Yes, go on.');
		advance(101);
		const { scenes, edit_version } = await scenesOf(video_id);
		const change = {
			scene_id: scenes[0].id,
			text: 'Say "Rye"',
			scene_snapshot_video_id: video_id,
			edit_version,
		};
		const turn = await call(`POST /v3/video-agents/${id}`, { edit_plan: [change] });
		expect(turn.body.data.video_id).toEqual(expect.any(String));
		advance(101);
		expect((await read(id)).status).toBe('completed');
		expect((await scenesOf(turn.body.data.video_id)).scenes[0].script.text).toBe('Rye');
	});

	test('is refused whole for a scene outside the snapshot', async () => {
		const { id, change, edit } = await ready();
		const reply = await edit([
			change(0, 'Shorter'),
			change(1, 'Longer', { scene_id: 'elsewhere' }),
		]);
		expect(reply.status).toBe(400);
		expect(reply.body.error).toMatchObject({
			code: 'invalid_parameter',
			param: 'edit_plan[1].scene_id',
		});
		expect((await read(id)).status).toBe('completed');
	});

	test('is refused when the snapshot changed since it was read', async () => {
		const { snapshot, session, change, edit } = await ready();
		await edit([change(0, 'Shorter')]);
		advance(101);
		const stale = await edit([change(0, 'Longer')]);
		expect(stale.status).toBe(409);
		expect(stale.body.error.code).toBe('stale_edit_version');
		const fresh = await scenesOf(session.video_id);
		expect(fresh.edit_version).not.toBe(snapshot.edit_version);
		const again = await edit([change(0, 'Longer', { edit_version: fresh.edit_version })]);
		expect(again.status).toBe(200);
	});

	test('is refused with another film as snapshot, and above 50 items', async () => {
		const { change, edit } = await ready();
		const foreign = await edit([change(0, 'x', { scene_snapshot_video_id: 'video_001' })]);
		expect(foreign.body.error.param).toBe('edit_plan[0].scene_snapshot_video_id');
		const long = await edit(Array.from({ length: 51 }, () => change(0, 'x')));
		expect(long.body.error.param).toBe('edit_plan');
	});
});

test('a turn needs a message or a plan, and a session that is at rest', async () => {
	const id = await open({ prompt: 'A film about bread' });
	const empty = await call(`POST /v3/video-agents/${id}`, { brand_kit_id: 'kit_002' });
	expect(empty.body.error).toMatchObject({ code: 'invalid_parameter', param: 'message' });
	const early = await call(`POST /v3/video-agents/${id}`, { message: 'Faster' });
	expect(early.body.error.code).toBe('resource_not_ready');
	const swapped = await call(`POST /v3/video-agents/${id}`, {
		message: 'x',
		brand_glossary_id: 'glossary_001',
	});
	expect(swapped.body.error.param).toBe('brand_glossary_id');
});

test('answers 404 for unknown sessions', async () => {
	const reply = await call('GET /v3/video-agents/gone');
	expect(reply.status).toBe(404);
	expect(reply.body.error.code).toBe('not_found');
});

test('the legacy route answers in its own envelope with the video at once', async () => {
	const reply = await call('POST /v1/video_agent/generate', { prompt: 'Bread', duration_sec: 10 });
	expect(reply.body).toEqual({
		error: null,
		data: { video_id: expect.any(String), session_id: expect.any(String) },
	});
	const { video_id } = reply.body.data;
	expect((await call(`GET /v3/videos/${video_id}`)).body.data.status).toBe('pending');
	advance(101);
	expect((await call(`GET /v3/videos/${video_id}`)).body.data.status).toBe('completed');
	const refused = await call('POST /v1/video_agent/generate', { prompt: '' });
	expect(refused.status).toBe(400);
	expect(refused.body).toEqual({
		data: null,
		error: { code: 'invalid_parameter', message: expect.any(String) },
	});
});

test('does not honour the idempotency header on session creation', async () => {
	const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': 'same' };
	const first = await call('POST /v3/video-agents', { prompt: 'Bread' }, headers);
	const second = await call('POST /v3/video-agents', { prompt: 'Bread' }, headers);
	expect(second.body.data.session_id).not.toBe(first.body.data.session_id);
	expect(simulator.control.jobs('session')).toHaveLength(2);
});
