import { createHash } from 'node:crypto';
import { request } from 'undici';
import { avatarVideo, useSimulator, waitUntil } from './support';

const simulator = useSimulator({ jobSeconds: 100 });
const { call, data, rejection } = simulator;

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
	const given = { id, title: 'Morning', folder_id: 'folder_001' };
	expect(video).toMatchObject({ ...given, status: 'completed', duration: expect.any(Number) });
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
const source = { type: 'url', url: 'https://a.example/b.png' };
const scene = { type: 'image', source, duration: 4 };
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

test.each([
	['video_url', 'video/mp4'],
	['captioned_video_url', 'video/mp4'],
	['gif_url', 'image/gif'],
	['thumbnail_url', 'image/jpeg'],
	['subtitle_url', 'application/x-subrip'],
])('%s of a finished video is a file of type %s', async (field, type) => {
	const id = await create({ caption: { style: 'default' } });
	advance(101);
	const { statusCode, headers, body } = await request((await read(id))[field]);
	expect([statusCode, headers['content-type']]).toEqual([200, type]);
	const bytes = Buffer.from(await body.arrayBuffer());
	expect(Number(headers['content-length'])).toBe(bytes.length);
	if (type === 'video/mp4') expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
});

test('a part of a file can be fetched, of the same version only', async () => {
	const { video_url } = await read('video_001');
	const fetchPart = async (more = {}) => {
		const headers = { range: 'bytes=4-7', ...more };
		const { body, statusCode, headers: received } = await request(video_url, { headers });
		return { statusCode, text: await body.text(), etag: received.etag };
	};
	const { etag, ...part } = await fetchPart();
	expect(part).toEqual({ statusCode: 206, text: 'ftyp' });
	expect((await fetchPart({ 'if-range': etag })).statusCode).toBe(206);
	expect((await fetchPart({ 'if-range': '"another"' })).statusCode).toBe(200);
});

test('signed URLs expire, differ at every read and cannot be changed', async () => {
	const id = await create();
	advance(101);
	const first = (await read(id)).video_url;
	const second = (await read(id)).video_url;
	expect(second).not.toBe(first);
	const fetchFile = async (signed: string) => {
		const { statusCode, body } = await request(signed);
		return [statusCode, (await body.text()).match(/<Code>(.*)<.Code>/)?.[1]];
	};
	expect((await fetchFile(first.replace(id, 'video_001')))[0]).toBe(403);
	advance(3601);
	expect(await fetchFile(first)).toEqual([403, 'AccessDenied']);
	expect((await fetchFile((await read(id)).video_url))[0]).toBe(200);
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
	const length = Number(headers['content-length']);
	return { length, size, isComplete, sha256: hash.digest('hex') };
}

test('serves a large file as a stream with its length', async () => {
	const size = 40 * 1024 * 1024 + 17;
	simulator.control.setMediaBytes(size);
	const { video_url } = await read('video_001');
	const first = await download(video_url);
	expect(first).toMatchObject({ length: size, size, isComplete: true });
	expect(await download(video_url)).toEqual(first);
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
	expect((await rejection('POST /v3/videos', opaque))[1]).toBe('avatar_not_usable');
});

test('a deleted video is gone, and its job ends without an event', async () => {
	const id = await create();
	expect(await data(`DELETE /v3/videos/${id}`)).toEqual({ id, deleted: true });
	expect(await rejection(`GET /v3/videos/${id}`)).toEqual([404, 'not_found', null]);
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
		const item = { status: 'queued', video_id: null, error: null };
		expect(await readBatch(id)).toMatchObject({
			batch_id: id,
			status: 'processing',
			title: 'Many',
			total_items: 3,
			counts_by_status: { queued: 3 },
			items: [0, 1, 2].map((item_index) => ({ item_index, ...item })),
			has_more: false,
			next_token: null,
		});
		advance(50);
		expect((await readBatch(id)).counts_by_status).toEqual({ processing: 3 });
		advance(51);
		const done = await readBatch(id);
		const counts_by_status = { completed: 2, failed: 1 };
		expect(done).toMatchObject({ status: 'completed', counts_by_status });
		expect(done.items[0].error).toEqual({ code: 'render_error', message: 'Broke' });
		expect((await read(done.items[1].video_id)).folder_id).toBe('folder_001');
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
