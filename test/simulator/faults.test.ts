import { request } from 'undici';
import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, until, type Caller } from './support';

let simulator: Simulator;
let call: Caller;

beforeEach(async () => {
	simulator = await startSimulator({ jobSeconds: 0, seed: 7 });
	call = caller(simulator);
});
afterEach(() => simulator.close());

const jobs = () => simulator.control.jobs('video').length;

test('answers with a status, as often as told, without doing the work', async () => {
	simulator.control.fail({ path: '/v3/videos', status: 429, retryAfter: 3, times: 2 });
	for (let round = 0; round < 2; round += 1) {
		const reply = await call('POST /v3/videos', speaking);
		expect(reply.status).toBe(429);
		expect(reply.headers['retry-after']).toBe('3');
		expect(reply.body.error.code).toBe('rate_limit_exceeded');
	}
	expect(jobs()).toBe(0);
	expect((await call('POST /v3/videos', speaking)).status).toBe(200);
});

test('meets only the method and path it names', async () => {
	simulator.control.fail({ method: 'get', path: /^\/v3\/videos\/[^/]+$/, status: 503 });
	expect((await call('GET /v3/videos/video_001')).status).toBe(503);
	expect((await call('GET /v3/videos/video_001/scenes')).status).toBe(200);
	expect((await call('DELETE /v3/videos/video_001')).status).toBe(200);
	simulator.control.clearFaults();
	expect((await call('GET /v3/videos/video_002')).status).toBe(200);
});

test('carries the code, message, param and headers it was given', async () => {
	simulator.control.fail({
		status: 402,
		code: 'INSUFFICIENT_CREDIT',
		message: 'No money',
		param: 'resolution',
		headers: { 'x-note': 'hi' },
	});
	const reply = await call('POST /v3/videos', speaking);
	expect(reply.status).toBe(402);
	expect(reply.headers['x-note']).toBe('hi');
	expect(reply.body.error).toMatchObject({
		code: 'INSUFFICIENT_CREDIT',
		message: 'No money',
		param: 'resolution',
	});
});

test('can answer with rubbish', async () => {
	simulator.control.fail({ status: 502, body: '<html>Bad gateway</html>', times: 1 });
	const html = await call('GET /v3/videos');
	expect([html.status, html.body]).toEqual([502, '<html>Bad gateway</html>']);
	simulator.control.fail({ body: { nothing: 'expected' }, times: 1 });
	const odd = await call('GET /v3/videos');
	expect([odd.status, odd.body]).toEqual([200, { nothing: 'expected' }]);
});

test('cuts the connection before the work', async () => {
	simulator.control.fail({ path: '/v3/videos', cut: 'before', times: 1 });
	await expect(call('POST /v3/videos', speaking)).rejects.toThrow();
	expect(jobs()).toBe(0);
	expect(simulator.control.requests({ method: 'POST' })).toEqual([
		expect.objectContaining({ path: '/v3/videos', body: speaking, status: null }),
	]);
});

test('cuts the connection after the work', async () => {
	simulator.control.fail({ path: '/v3/videos', cut: 'after', times: 1 });
	await expect(call('POST /v3/videos', speaking)).rejects.toThrow();
	expect(jobs()).toBe(1);
});

test.each([
	['head', 0],
	['midway', 0.5],
	['tail', 1],
] as const)('cuts the connection in the answer: %s', async (cut, share) => {
	const headers = { 'x-api-key': simulator.apiKey };
	const url = `${simulator.baseUrl}/v3/voices`;
	const whole = await (await request(url, { headers })).body.text();
	simulator.control.fail({ path: '/v3/voices', cut, times: 1 });
	const response = await request(url, { headers });
	expect(response.statusCode).toBe(200);
	expect(response.headers['content-type']).toContain('application/json');
	let read = '';
	await expect(
		(async () => {
			for await (const piece of response.body) read += String(piece);
		})(),
	).rejects.toThrow();
	expect(read).toBe(whole.slice(0, Math.floor(whole.length * share)));
});

test.each(['head', 'midway', 'tail'] as const)('cuts a file: %s', async (cut) => {
	const [{ video_url }] = (await call('GET /v3/videos?limit=1')).body.data;
	const whole = await (await request(video_url)).body.bytes();
	simulator.control.fail({ path: /^\/media\//, cut, times: 1 });
	const { statusCode, body } = await request(video_url);
	let read = 0;
	await expect(
		(async () => {
			for await (const piece of body) read += (piece as Buffer).length;
		})(),
	).rejects.toThrow();
	expect(statusCode).toBe(200);
	const shares = { head: 0, midway: 0.5, tail: 1 };
	expect(read).toBe(Math.floor(whole.length * shares[cut]));
});

test.each([503, 429])(
	'a %i of the service says so itself; that of a proxy does not',
	async (status) => {
		simulator.control.fail({ path: '/v3/videos', status, retryAfter: 2, times: 1 });
		const own = await call('POST /v3/videos', speaking);
		expect([own.status, own.headers['retry-after']]).toEqual([status, '2']);
		expect(own.body.error).toEqual({
			code: status === 503 ? 'service_unavailable' : 'rate_limit_exceeded',
			message: expect.any(String),
			param: null,
			doc_url: expect.any(String),
			request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
		simulator.control.fail({ path: '/v3/videos', status, proxy: true, times: 1 });
		const foreign = await call('POST /v3/videos', speaking);
		expect([foreign.status, foreign.headers['content-type']]).toEqual([status, 'text/html']);
		expect(foreign.body).toContain('<html>');
		simulator.control.fail({ path: '/v3/videos', status, body: '', times: 1 });
		const empty = await call('POST /v3/videos', speaking);
		expect([empty.status, empty.body]).toEqual([status, '']);
		expect(jobs()).toBe(0);
	},
);

describe('answers bent as told', () => {
	test('fields of a job that is read, for the next reads only', async () => {
		const { video_id } = (await call('POST /v3/videos', speaking)).body.data;
		const read = async () => (await call(`GET /v3/videos/${video_id}`)).body.data;
		const before = await read();
		const bent = { status: 'CANCELLED', failure_code: 'odd', video_url: null };
		const path = `/v3/videos/${video_id}`;
		simulator.control.fail({ method: 'GET', path, data: bent, times: 2 });
		expect(await read()).toMatchObject({ id: before.id, title: before.title, ...bent });
		expect(await read()).toMatchObject(bent);
		simulator.control.fail({ path, without: ['status', 'video_url'], times: 1 });
		const missing = await read();
		expect(missing).not.toHaveProperty('status');
		expect(missing).not.toHaveProperty('video_url');
		expect(missing).toMatchObject({ id: before.id, duration: before.duration });
		expect(await read()).toMatchObject({ status: 'completed', video_url: expect.any(String) });
	});

	test('finished clips without a status', async () => {
		const video = { type: 'url', url: 'https://files.example/talk.mp4' };
		const { ai_clipping_id } = (await call('POST /v3/ai-clipping', { video })).body.data;
		simulator.control.fail({ path: /ai-clipping/, without: ['status'] });
		const { data } = (await call(`GET /v3/ai-clipping/${ai_clipping_id}`)).body;
		expect(data).toMatchObject({ progress: 100, clips: [{}, {}, {}] });
		expect(data).not.toHaveProperty('status');
	});

	test('a batch whose items are all final, under another word', async () => {
		simulator.control.failNext('video', { code: 'odd', message: 'Not this one' });
		const made = await call('POST /v3/videos/batches', { videos: [speaking, speaking] });
		const { batch_id } = made.body.data;
		simulator.control.fail({ path: /batches/, data: { status: 'completed_with_errors' } });
		expect((await call(`GET /v3/videos/batches/${batch_id}`)).body.data).toMatchObject({
			status: 'completed_with_errors',
			total_items: 2,
			counts_by_status: { completed: 1, failed: 1 },
		});
	});

	test('each row of a list, its paging kept', async () => {
		simulator.control.fail({
			path: '/v3/videos',
			data: { title: null },
			without: ['id'],
			times: 1,
		});
		const { body } = await call('GET /v3/videos?limit=2');
		expect(body).toMatchObject({ data: [{ title: null }, { title: null }], has_more: true });
		expect(body.data[0]).not.toHaveProperty('id');
	});

	test('only what is sent: a repeat by key gets the answer as it was', async () => {
		const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': 'k' };
		simulator.control.fail({ path: '/v3/videos', without: ['video_id'], times: 1 });
		const bent = await call('POST /v3/videos', speaking, headers);
		expect(bent.body.data).not.toHaveProperty('video_id');
		const again = await call('POST /v3/videos', speaking, headers);
		expect(again.body.data.video_id).toEqual(expect.any(String));
		expect(jobs()).toBe(1);
	});
});

test('comes late with the answer to work that is done', async () => {
	simulator.control.fail({ path: '/v3/videos', lateMs: 60_000 });
	let answered = false;
	const pending = call('POST /v3/videos', speaking).finally(() => (answered = true));
	await until(() => jobs() === 1, 'the work');
	await call('GET /v3/voices');
	expect(answered).toBe(false);
	simulator.control.clearFaults();
	expect((await pending).status).toBe(200);
});

test('delays', async () => {
	simulator.control.fail({ delayMs: 80, times: 1 });
	const before = Date.now();
	expect((await call('GET /v3/videos')).status).toBe(200);
	expect(Date.now() - before).toBeGreaterThanOrEqual(75);
});

test('strikes by chance, the same way for the same seed', async () => {
	const round = async (target: Simulator) => {
		target.control.fail({ probability: 0.5, status: 503 });
		const ask = caller(target);
		const statuses: number[] = [];
		for (let count = 0; count < 30; count += 1) statuses.push((await ask('GET /v3/videos')).status);
		return statuses;
	};
	const first = await round(simulator);
	const twin = await startSimulator({ seed: 7 });
	expect(await round(twin)).toEqual(first);
	await twin.close();
	const struck = first.filter((status) => status === 503).length;
	expect(struck).toBeGreaterThan(5);
	expect(struck).toBeLessThan(25);
});

test('strikes files and uploads too', async () => {
	simulator.control.fail({ path: /^\/media\//, status: 500, times: 1 });
	await call('POST /v3/videos', speaking);
	const [{ video_url }] = (await call('GET /v3/videos?limit=1')).body.data;
	const refused = await request(video_url);
	expect(refused.statusCode).toBe(500);
	await refused.body.dump();
	const served = await request(video_url);
	expect(served.statusCode).toBe(200);
	await served.body.dump();
});

test('strikes the storage: refused, slow, and stored without an answer', async () => {
	const { body } = await call('POST /v3/assets/direct-uploads', {
		filename: 'a.png',
		content_type: 'image/png',
		size_bytes: 4,
	});
	const { upload_url, upload_headers, asset_id } = body.data;
	const put = async () => {
		const reply = await request(upload_url, {
			method: 'PUT',
			headers: upload_headers,
			body: 'abcd',
		});
		await reply.body.dump();
		return reply.statusCode;
	};
	simulator.control.fail({ path: /^\/storage\//, status: 503, times: 1 });
	expect(await put()).toBe(503);
	simulator.control.fail({ path: /^\/storage\//, cut: 'after', delayMs: 60, times: 1 });
	const before = Date.now();
	await expect(put()).rejects.toThrow();
	expect(Date.now() - before).toBeGreaterThanOrEqual(55);
	expect((await call(`POST /v3/assets/${asset_id}/complete`, {})).status).toBe(200);
	expect(await put()).toBe(200);
	const video = { ...speaking, background: { type: 'image', asset_id } };
	expect((await call('POST /v3/videos', video)).status).toBe(200);
});
