import { request } from 'undici';
import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, type Caller } from './support';

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

test('cuts the connection in the middle of the answer', async () => {
	simulator.control.fail({ path: '/v3/voices', cut: 'midway', times: 1 });
	const response = await request(`${simulator.baseUrl}/v3/voices`, {
		headers: { 'x-api-key': simulator.apiKey },
	});
	expect(response.statusCode).toBe(200);
	let read = 0;
	await expect(
		(async () => {
			for await (const piece of response.body) read += piece.length;
		})(),
	).rejects.toThrow();
	expect(read).toBeGreaterThan(0);
	expect(read).toBeLessThan(Number(response.headers['content-length']));
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
