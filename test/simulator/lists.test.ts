import { avatarVideo, useSimulator } from './support';

const simulator = useSimulator();
const { call, rejection } = simulator;

type Row = Record<string, unknown>;

async function readAll(path: string) {
	const rows: Row[] = [];
	for (let token: string | null = ''; token !== null;) {
		const { body } = await call(`GET ${path}${path.includes('?') ? '&' : '?'}${token}`);
		rows.push(...body.data);
		expect(body.has_more).toBe(body.next_token !== null);
		token = body.next_token && `token=${body.next_token}`;
	}
	return rows;
}

test.each([
	['/v3/voices', 'voice_id'],
	['/v3/avatars', 'id'],
	['/v3/avatars/looks', 'id'],
	['/v3/video-agents/styles', 'style_id'],
	['/v3/brand-kits', 'brand_kit_id'],
	['/v3/brand-glossaries', 'brand_glossary_id'],
	['/v3/templates', 'id'],
])('%s returns every row once, on pages of any size', async (path, id) => {
	const whole = await readAll(path);
	expect(new Set(whole.map((row) => row[id])).size).toBe(whole.length);
	await simulator.restart({ pageSize: 2 });
	const { body } = await call(`GET ${path}`);
	expect(body).toMatchObject({ data: [{}, {}], has_more: true });
	expect((await readAll(path)).map((row) => row[id])).toEqual(whole.map((row) => row[id]));
});

test.each<[string, (row: Row) => boolean]>([
	['/v3/voices?language=german', ({ language }) => language === 'German'],
	['/v3/voices?gender=male', ({ gender }) => gender === 'male'],
	['/v3/voices?type=private', ({ type }) => type === 'private'],
	['/v3/video-agents/styles?tag=print', ({ tags }) => (tags as string[]).includes('print')],
	['/v3/avatars?ownership=private', ({ id }) => String(id).startsWith('group_private')],
	['/v3/avatars/looks?group_id=group_003', ({ group_id }) => group_id === 'group_003'],
	['/v3/avatars/looks?avatar_type=photo_avatar', (row) => row.avatar_type === 'photo_avatar'],
	['/v3/videos?folder_id=folder_002', ({ folder_id }) => folder_id === 'folder_002'],
])('%s filters rows', async (path, isMatch) => {
	const rows = await readAll(path);
	const all = await readAll(path.split('?')[0] ?? '');
	expect(rows.length).toBeGreaterThan(0);
	expect(rows.every(isMatch)).toBe(true);
	if (!path.includes('private')) expect(rows).toHaveLength(all.filter(isMatch).length);
});

test('lists videos newest first, by part of the title', async () => {
	const rows = await readAll('/v3/videos?title=SALE&limit=1');
	expect(rows.every(({ title }) => /sale/.test(String(title)))).toBe(true);
	const times = rows.map(({ created_at }) => Number(created_at));
	expect(times.length).toBeGreaterThan(1);
	expect(times).toEqual([...times].sort((a, b) => b - a));
});

test('keeps cursors steady while rows are added and deleted', async () => {
	const ids = (await readAll('/v3/videos')).map(({ id }) => id);
	const first = await call('GET /v3/videos?limit=2');
	await call('POST /v3/videos', avatarVideo);
	await call(`DELETE /v3/videos/${ids[1]}`);
	const second = await call(`GET /v3/videos?limit=2&token=${first.body.next_token}`);
	expect(second.body.data.map((row: Row) => row.id)).toEqual(ids.slice(2, 4));
});

test('rejects the cursor of another list', async () => {
	const { body } = await call('GET /v3/voices?limit=1');
	const rejected = [400, 'invalid_parameter', 'token'];
	expect(await rejection(`GET /v3/avatars?token=${body.next_token}`)).toEqual(rejected);
});

test('returns lists without pages whole, and rejects paging parameters', async () => {
	const { body } = await call('POST /v3/video-agents', { prompt: 'Bread' });
	const id = body.data.session_id;
	for (const list of [`/v3/video-agents/${id}/videos`, '/v3/webhooks/event-types']) {
		const whole = { has_more: false, next_token: null };
		expect((await call(`GET ${list}`)).body).toMatchObject(whole);
		expect(await rejection(`GET ${list}?limit=1`)).toEqual([400, 'invalid_parameter', 'limit']);
	}
});

const name = 'avatar_video.success';
test.each([
	[undefined, { event_type: name, description: expect.any(String) }],
	['name', { name, description: expect.any(String) }],
	[null, name],
])('lists event types under the key %p', async (eventTypeKey, row) => {
	await simulator.restart({ eventTypeKey, checkResponses: false });
	expect((await call('GET /v3/webhooks/event-types')).body.data).toContainEqual(row);
});

test.each(['newest', 'oldest'] as const)(
	'lists delivered events from the %s, one per endpoint',
	async (eventsFirst) => {
		await simulator.restart({ eventsFirst });
		for (const url of ['https://a.invalid/hook', 'https://b.invalid/hook']) {
			await call('POST /v3/webhooks/endpoints', { url });
		}
		const videos = Array.from({ length: 12 }, (_, i) => `v${i}`);
		for (const video_id of videos) simulator.control.emit(name, { video_id });
		const rows = await readAll('/v3/webhooks/events');
		expect(new Set(rows.map((row) => row.event_id)).size).toBe(24);
		const listed = rows.map(({ event_data: data }) => (data as { video_id: string }).video_id);
		const twice = videos.flatMap((video) => [video, video]);
		expect(listed).toEqual(eventsFirst === 'newest' ? twice.reverse() : twice);
		expect(rows[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
		expect(await readAll('/v3/webhooks/events?entity_id=v3')).toHaveLength(2);
		expect(await readAll('/v3/webhooks/events?event_type=avatar_video.fail')).toEqual([]);
	},
);
