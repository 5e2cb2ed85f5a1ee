import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, type Caller } from './support';

let simulator: Simulator;
let call: Caller;

beforeEach(async () => {
	simulator = await startSimulator();
	call = caller(simulator);
});
afterEach(() => simulator.close());

async function all(path: string, limit?: number) {
	const rows: Array<Record<string, unknown>> = [];
	let pages = 0;
	for (let token: string | null = null; ;) {
		const query = new URLSearchParams({
			...(limit ? { limit: String(limit) } : {}),
			...(token ? { token } : {}),
		});
		const separator = path.includes('?') ? '&' : '?';
		const { body, status } = await call(`GET ${path}${separator}${query}`);
		expect(status).toBe(200);
		rows.push(...body.data);
		pages += 1;
		expect(body.has_more).toBe(body.next_token !== null);
		if (!body.has_more) return { rows, pages };
		token = body.next_token as string;
	}
}

test.each([
	['/v3/voices', 'voice_id', 48, 3],
	['/v3/avatars', 'id', 37, 2],
	['/v3/avatars/looks?avatar_type=studio_avatar', 'id', 63, 4],
	['/v3/video-agents/styles', 'style_id', 26, 2],
	['/v3/brand-kits', 'brand_kit_id', 4, 1],
	['/v3/brand-glossaries', 'brand_glossary_id', 3, 1],
	['/v3/templates', 'id', 4, 1],
])('%s gives every row once', async (path, id, count, pages) => {
	const found = await all(path);
	expect(new Set(found.rows.map((row) => row[id])).size).toBe(count);
	expect(found.rows).toHaveLength(count);
	expect(found.pages).toBe(pages);
});

test('filters voices, styles, avatars and looks', async () => {
	const german = await all('/v3/voices?language=german&gender=male', 100);
	expect(german.rows.length).toBeGreaterThan(0);
	expect(german.rows.every((row) => row.language === 'German' && row.gender === 'male')).toBe(true);
	expect((await all('/v3/voices?type=private')).rows).toHaveLength(2);
	const prints = await all('/v3/video-agents/styles?tag=print');
	expect(prints.rows.every(({ tags }) => (tags as string[]).includes('print'))).toBe(true);
	expect((await all('/v3/avatars?ownership=private')).rows).toHaveLength(5);
	expect((await all('/v3/avatars/looks?group_id=group_003')).rows).toHaveLength(3);
});

test('lists videos newest first, by folder and by part of the title', async () => {
	const sales = await all('/v3/videos?title=SALE', 1);
	expect(sales.rows.map(({ title }) => title)).toEqual([
		'Autumn sale',
		'Summer sale',
		'Spring sale',
	]);
	expect(sales.pages).toBe(3);
	expect((await all('/v3/videos?folder_id=folder_002')).rows).toHaveLength(2);
});

test('keeps cursors steady while rows are added and deleted', async () => {
	const first = await call('GET /v3/videos?limit=2');
	await call('POST /v3/videos', speaking);
	await call(`DELETE /v3/videos/${first.body.data[1].id}`);
	const second = await call(`GET /v3/videos?limit=2&token=${first.body.next_token}`);
	expect(second.body.data.map((row: { id: string }) => row.id)).toEqual(['video_003', 'video_002']);
});

test('refuses the cursor of another list', async () => {
	const { body } = await call('GET /v3/voices?limit=1');
	const reply = await call(`GET /v3/avatars?token=${body.next_token}`);
	expect(reply.body.error).toMatchObject({ code: 'invalid_parameter', param: 'token' });
});

test('caps pages when asked to', async () => {
	const small = await startSimulator({ pageSize: 2 });
	const { body } = await caller(small)('GET /v3/voices?limit=50');
	expect(body.data).toHaveLength(2);
	expect(body.has_more).toBe(true);
	await small.close();
});

test('lists sessions newest first with a default page of 20', async () => {
	for (let index = 0; index < 23; index += 1) {
		await call('POST /v3/video-agents', { prompt: `Film ${index}` });
	}
	simulator.control.clock.advance(30);
	const { body } = await call('GET /v3/video-agents');
	expect(body.data).toHaveLength(20);
	expect(body.data[0]).toEqual({
		session_id: expect.any(String),
		created_at: expect.any(Number),
		title: 'Film 22',
	});
});

test('gives lists without pages whole, and takes no question about pages', async () => {
	const { body } = await call('POST /v3/video-agents', { prompt: 'Bread' });
	const id = body.data.session_id;
	for (const message of ['Longer', 'Shorter']) {
		simulator.control.clock.advance(21);
		await call(`POST /v3/video-agents/${id}`, { message });
	}
	const whole = { has_more: false, next_token: null };
	const videos = await call(`GET /v3/video-agents/${id}/videos`);
	expect(videos.body).toMatchObject({ data: [{}, {}, {}], ...whole });
	const types = await call('GET /v3/webhooks/event-types');
	expect(types.body).toMatchObject(whole);
	expect(types.body.data.length).toBeGreaterThan(20);
	for (const list of [`/v3/video-agents/${id}/videos`, '/v3/webhooks/event-types']) {
		for (const query of ['limit=1', 'token=any']) {
			const { status, body } = await call(`GET ${list}?${query}`);
			expect([status, body.error.param]).toEqual([400, query.split('=')[0]]);
		}
	}
});

test('names event types as it is told', async () => {
	const first = async (eventTypeKey?: string | null) => {
		const other = await startSimulator({ eventTypeKey });
		const { body } = await caller(other)('GET /v3/webhooks/event-types');
		await other.close();
		return body.data[0];
	};
	const name = 'avatar_video.success';
	expect(await first()).toEqual({ event_type: name, description: expect.any(String) });
	expect(await first('name')).toEqual({ name, description: expect.any(String) });
	expect(await first(null)).toBe(name);
});

test('lists delivered events page by page, one for each endpoint, from the end that it is told', async () => {
	for (const eventsFirst of ['newest', 'oldest'] as const) {
		await simulator.close();
		simulator = await startSimulator({ eventsFirst });
		call = caller(simulator);
		for (const url of ['https://a.invalid/hook', 'https://b.invalid/hook']) {
			await call('POST /v3/webhooks/endpoints', { url });
		}
		const videos = Array.from({ length: 12 }, (_, i) => `v${i}`);
		for (const video_id of videos) simulator.control.emit('avatar_video.success', { video_id });
		const { rows, pages } = await all('/v3/webhooks/events');
		expect([rows.length, pages]).toEqual([24, 3]);
		expect(new Set(rows.map((row) => row.event_id)).size).toBe(24);
		const told = rows.map(({ event_data: data }) => (data as { video_id: string }).video_id);
		const twice = videos.flatMap((video) => [video, video]);
		expect(told).toEqual(eventsFirst === 'newest' ? twice.reverse() : twice);
		expect(rows[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		expect((await call('GET /v3/webhooks/events?event_type=no.such')).status).toBe(400);
	}
});
