import { createHash } from 'node:crypto';
import { request } from 'undici';
import { avatarVideo, useSimulator, waitUntil } from './support';

const simulator = useSimulator({ jobSeconds: 100 });
const { call, data, refusal } = simulator;

const advance = (seconds: number) => simulator.control.clock.advance(seconds);
const create = async (more = {}) =>
	(await data('POST /v3/videos', { ...avatarVideo, ...more })).video_id as string;
const read = (id: string) => data(`GET /v3/videos/${id}`);

test('a video goes from pending to completed', async () => {
	const id = await create({ title: 'Morning', folder_id: 'folder_001', caption: {} });
	expect(await read(id)).toMatchObject({ status: 'pending', video_url: null, duration: null });
	advance(50);
	expect((await read(id)).status).toBe('processing');
	advance(51);
	const video = await read(id);
	expect(video).toMatchObject({
		id,
		status: 'completed',
		title: 'Morning',
		folder_id: 'folder_001',
		duration: expect.any(Number),
	});
	expect(video.completed_at - video.created_at).toBe(100);
	expect(video).not.toHaveProperty('output_language');
	expect(video).not.toHaveProperty('failure_code');
});

test.each([
	['/v3/videos', avatarVideo],
	['/v3/hyperframes/renders', { project: { type: 'url', url: 'https://files.example/a.zip' } }],
])('POST %s: the job starts at created_at', async (path, body) => {
	const { now } = Date;
	let calls = 0;
	const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 1000 * calls++);
	const job = await data(`POST ${path}`, body);
	clock.mockRestore();
	expect(calls).toBeGreaterThan(1);
	advance(200);
	const done = await data(`GET ${path}/${job.video_id ?? job.render_id}`);
	expect(done.completed_at - done.created_at).toBe(100);
});

const url = expect.any(String);
const scene = {
	type: 'image',
	source: { type: 'url', url: 'https://a.example/b.png' },
	duration: 4,
};
const studio = { type: 'studio', scenes: [scene] };

test.each([
	['none', avatarVideo, null, null],
	['none in a studio video', studio, null, null],
	['a file', { ...avatarVideo, caption: { file_format: 'srt' } }, url, null],
	['a file of a studio video', { ...studio, captions: {} }, url, null],
	['a style', { ...avatarVideo, caption: { style: 'default' } }, url, url],
	['a style in a studio video', { ...studio, captions: { style: 'default' } }, url, url],
	['a style under the other name', { ...studio, caption: { style: 'default' } }, url, url],
])('captions are as requested: %s', async (_, body, subtitle, captioned) => {
	const { video_id } = (await call('POST /v3/videos', body)).body.data;
	advance(101);
	expect(await read(video_id)).toMatchObject({
		status: 'completed',
		subtitle_url: subtitle,
		captioned_video_url: captioned,
	});
});

test('every file of a finished video can be fetched', async () => {
	const id = await create({ caption: { style: 'default' } });
	advance(101);
	const video = await read(id);
	const expected: Array<[string, string, string]> = [
		['video_url', 'video/mp4', '66747970'],
		['captioned_video_url', 'video/mp4', '66747970'],
		['gif_url', 'image/gif', '38396161'],
		['thumbnail_url', 'image/jpeg', ''],
		['subtitle_url', 'application/x-subrip', ''],
	];
	for (const [field, type, magic] of expected) {
		const file = await request(video[field]);
		expect(file.statusCode).toBe(200);
		expect(file.headers['content-type']).toBe(type);
		const bytes = Buffer.from(await file.body.arrayBuffer());
		expect(Number(file.headers['content-length'])).toBe(bytes.length);
		if (type === 'video/mp4') expect(bytes.subarray(4, 8).toString('hex')).toBe(magic);
	}
	const part = await request(video.video_url, { headers: { range: 'bytes=4-7' } });
	expect(part.statusCode).toBe(206);
	expect(await part.body.text()).toBe('ftyp');
	const statusIf = async (tag: unknown) => {
		const headers = { range: 'bytes=4-7', 'if-range': String(tag) };
		const { body, statusCode } = await request(video.video_url, { headers });
		await body.dump();
		return statusCode;
	};
	expect(await statusIf(part.headers.etag)).toBe(206);
	expect(await statusIf('"another"')).toBe(200);
});

test('signed URLs expire, differ at every read and cannot be changed', async () => {
	const id = await create();
	advance(101);
	const first = (await read(id)).video_url;
	const second = (await read(id)).video_url;
	expect(second).not.toBe(first);
	const forged = await request(first.replace(id, 'video_001'));
	expect(forged.statusCode).toBe(403);
	await forged.body.dump();
	advance(3601);
	const late = await request(first);
	expect(late.statusCode).toBe(403);
	expect(await late.body.text()).toContain('<Code>AccessDenied</Code>');
	const renewed = await request((await read(id)).video_url);
	expect(renewed.statusCode).toBe(200);
	await renewed.body.dump();
});

async function download(url: string) {
	const { headers, body } = await request(url);
	const hash = createHash('sha256');
	let size = 0;
	let isComplete = true;
	try {
		for await (const piece of body) {
			hash.update(piece);
			size += piece.length;
		}
	} catch {
		isComplete = false;
	}
	return {
		length: Number(headers['content-length']),
		size,
		isComplete,
		sha256: hash.digest('hex'),
	};
}

test('serves a large file as a stream with its length', async () => {
	const size = 40 * 1024 * 1024 + 17;
	simulator.control.setMediaBytes(size);
	const { video_url } = await read('video_001');
	const first = await download(video_url);
	expect(first).toMatchObject({ length: size, size, isComplete: true });
	expect(await download(video_url)).toEqual(first);
});

test.each([null, 5_000_000])('truncates files of size %p on request', async (bytes) => {
	simulator.control.setMediaBytes(bytes);
	simulator.control.truncateMedia(true);
	const { length, size, isComplete } = await download((await read('video_001')).video_url);
	expect([isComplete, size]).toEqual([false, Math.floor(length / 2)]);
});

test('fails with the given code and message', async () => {
	simulator.control.failNext('video', { code: 'moderation', message: 'Not this' });
	const failing = await create();
	const other = await create();
	const running = await create();
	simulator.control.failJob(running, 'render_error', 'A machine broke');
	advance(101);
	expect(await read(failing)).toMatchObject({
		status: 'failed',
		failure_code: 'moderation',
		failure_message: 'Not this',
		video_url: null,
	});
	expect((await read(other)).status).toBe('completed');
	expect(await read(running)).toMatchObject({ status: 'failed', failure_code: 'render_error' });
});

test('held jobs pause and continue where they were', async () => {
	const id = await create();
	advance(10);
	simulator.control.holdJobs(true);
	advance(500);
	expect((await read(id)).status).toBe('pending');
	simulator.control.holdJobs(false);
	advance(80);
	expect((await read(id)).status).toBe('processing');
	advance(11);
	expect((await read(id)).status).toBe('completed');
});

test('WebM needs a look with a transparent background', async () => {
	const id = await create({ output_format: 'webm' });
	advance(101);
	expect((await read(id)).video_url).toContain('.webm');
	const opaque = { ...avatarVideo, avatar_id: 'look_004_1', output_format: 'webm' };
	expect((await refusal('POST /v3/videos', opaque))[1]).toBe('avatar_not_usable');
});

test('a deleted video is gone, and its job ends without an event', async () => {
	const id = await create();
	expect(await data(`DELETE /v3/videos/${id}`)).toEqual({ id, deleted: true });
	expect(await refusal(`GET /v3/videos/${id}`)).toEqual([404, 'not_found', null]);
	advance(101);
	expect(simulator.control.jobs('video')).toMatchObject([{ ended: true, status: 'pending' }]);
});

test('jobs also end in real time', async () => {
	await simulator.restart({ jobSeconds: 0.1 });
	await create();
	const getJobs = () => simulator.control.jobs('video') as Array<{ status: string }>;
	await waitUntil(() => getJobs()[0]?.status === 'completed');
	expect(getJobs()).toHaveLength(1);
});

describe('a batch', () => {
	const batch = async (count: number) => {
		const body = { title: 'Many', folder_id: 'folder_001', videos: Array(count).fill(avatarVideo) };
		return (await data('POST /v3/videos/batches', body)).batch_id as string;
	};
	const readBatch = (id: string, query = '') => data(`GET /v3/videos/batches/${id}${query}`);

	test('has the status and counts of its items', async () => {
		simulator.control.failNext('video', { code: 'render_error', message: 'Broke' });
		const id = await batch(3);
		const queued = await readBatch(id);
		expect(queued).toMatchObject({
			batch_id: id,
			status: 'processing',
			title: 'Many',
			total_items: 3,
			counts_by_status: { queued: 3 },
			has_more: false,
			next_token: null,
		});
		const item = { item_index: 0, status: 'queued', video_id: null, error: null };
		expect(queued.items[0]).toEqual(item);
		advance(50);
		expect((await readBatch(id)).counts_by_status).toEqual({ processing: 3 });
		advance(51);
		const done = await readBatch(id);
		expect(done).toMatchObject({
			status: 'completed',
			counts_by_status: { completed: 2, failed: 1 },
		});
		expect(done.items[0].error).toEqual({ code: 'render_error', message: 'Broke' });
		expect((await read(done.items[1].video_id)).folder_id).toBe('folder_001');
	});

	test('pages its items in data', async () => {
		const id = await batch(5);
		const first = await readBatch(id, '?limit=3');
		expect(first.items).toHaveLength(3);
		expect(first.has_more).toBe(true);
		const rest = await readBatch(id, `?limit=3&token=${first.next_token}`);
		expect(rest.items.map((item: { item_index: number }) => item.item_index)).toEqual([3, 4]);
		expect(rest.has_more).toBe(false);
	});

	test('has entries in bulk status lookups', async () => {
		const id = await batch(2);
		advance(101);
		const single = await create();
		const line = `GET /v3/videos/statuses?video_ids=${single},gone&batch_ids=${id}`;
		const statuses = ['queued', 'not_found', 'completed', 'completed'];
		expect(await data(line)).toMatchObject(statuses.map((status) => ({ status })));
	});
});
