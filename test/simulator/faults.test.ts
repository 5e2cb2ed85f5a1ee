import { request } from 'undici';
import { avatarVideo, useSimulator, waitUntil } from './support';

const simulator = useSimulator({ jobSeconds: 0, seed: 7 });
const { call, data } = simulator;

const jobs = () => simulator.control.jobs('video').length;

test('applies only to its method and path', async () => {
	simulator.control.fail({ method: 'get', path: /^\/v3\/videos\/[^/]+$/, status: 503 });
	expect((await call('GET /v3/videos/video_001')).status).toBe(503);
	expect((await call('GET /v3/videos/video_001/scenes')).status).toBe(200);
	expect((await call('DELETE /v3/videos/video_001')).status).toBe(200);
	simulator.control.clearFaults();
	expect((await call('GET /v3/videos/video_002')).status).toBe(200);
});

test('returns the given error N times without running the handler', async () => {
	const error = { code: 'INSUFFICIENT_CREDIT', message: 'No money', param: 'resolution' };
	const headers = { 'x-note': 'hi' };
	simulator.control.fail({ path: '/v3/videos', status: 402, ...error, headers, times: 2 });
	for (let round = 0; round < 2; round += 1) {
		const reply = await call('POST /v3/videos', avatarVideo);
		expect([reply.status, reply.headers['x-note']]).toEqual([402, 'hi']);
		expect(reply.body.error).toMatchObject(error);
	}
	expect(jobs()).toBe(0);
	expect((await call('POST /v3/videos', avatarVideo)).status).toBe(200);
});

test('returns any body', async () => {
	simulator.control.fail({ status: 502, body: '<html>Bad gateway</html>', times: 1 });
	const html = await call('GET /v3/videos');
	expect([html.status, html.body]).toEqual([502, '<html>Bad gateway</html>']);
	simulator.control.fail({ body: { nothing: 'expected' }, times: 1 });
	const odd = await call('GET /v3/videos');
	expect([odd.status, odd.body]).toEqual([200, { nothing: 'expected' }]);
});

test.each(['before', 'after'] as const)('breaks the connection %s the handler', async (cut) => {
	simulator.control.fail({ path: '/v3/videos', cut, times: 1 });
	await expect(call('POST /v3/videos', avatarVideo)).rejects.toThrow();
	expect(jobs()).toBe(cut === 'before' ? 0 : 1);
	const received = { path: '/v3/videos', body: avatarVideo, status: null };
	expect(simulator.control.requests({ method: 'POST' })).toMatchObject([received]);
});

test.each(
	(['head', 'midway', 'tail'] as const).flatMap((cut) =>
		['/v3/voices', '/media/'].map((path) => [path, cut] as const),
	),
)('breaks the connection in the response of %s: %s', async (path, cut) => {
	const [{ video_url }] = (await call('GET /v3/videos?limit=1')).body.data;
	const url = path === '/media/' ? video_url : simulator.baseUrl + path;
	const headers = { 'x-api-key': simulator.apiKey };
	const whole = await (await request(url, { headers })).body.bytes();
	simulator.control.fail({ path: new RegExp(path), cut, times: 1 });
	const response = await request(url, { headers });
	expect(response.statusCode).toBe(200);
	const pieces: Buffer[] = [];
	const read = async () => {
		for await (const piece of response.body) pieces.push(piece as Buffer);
	};
	await expect(read()).rejects.toThrow();
	const size = { head: 0, midway: Math.floor(whole.length / 2), tail: whole.length }[cut];
	expect(Buffer.concat(pieces).equals(whole.subarray(0, size))).toBe(true);
});

test.each([503, 429])(
	'a %i of the service has an error body; that of a proxy has none',
	async (status) => {
		simulator.control.fail({ path: '/v3/videos', status, retryAfter: 2, times: 1 });
		const service = await call('POST /v3/videos', avatarVideo);
		expect([service.status, service.headers['retry-after']]).toEqual([status, '2']);
		expect(service.body.error).toEqual({
			code: status === 503 ? 'service_unavailable' : 'rate_limit_exceeded',
			message: expect.any(String),
			param: null,
			doc_url: expect.any(String),
			request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
		});
		simulator.control.fail({ path: '/v3/videos', status, proxy: true, times: 1 });
		const proxy = await call('POST /v3/videos', avatarVideo);
		expect([proxy.status, proxy.headers['content-type']]).toEqual([status, 'text/html']);
		expect(proxy.body).toContain('<html>');
		simulator.control.fail({ path: '/v3/videos', status, body: '', times: 1 });
		const empty = await call('POST /v3/videos', avatarVideo);
		expect([empty.status, empty.body]).toEqual([status, '']);
		expect(jobs()).toBe(0);
	},
);

describe('changes the response:', () => {
	test('fields of a job, for N reads', async () => {
		const { video_id } = (await call('POST /v3/videos', avatarVideo)).body.data;
		const read = async () => (await call(`GET /v3/videos/${video_id}`)).body.data;
		const before = await read();
		const changes = { status: 'CANCELLED', failure_code: 'odd', video_url: null };
		const path = `/v3/videos/${video_id}`;
		simulator.control.fail({ method: 'GET', path, data: changes, times: 2 });
		expect(await read()).toMatchObject({ id: before.id, title: before.title, ...changes });
		expect(await read()).toMatchObject(changes);
		simulator.control.fail({ path, without: ['status', 'video_url'], times: 1 });
		const missing = await read();
		expect(missing).not.toHaveProperty('status');
		expect(missing).not.toHaveProperty('video_url');
		expect(missing).toMatchObject({ id: before.id, duration: before.duration });
		expect(await read()).toMatchObject({ status: 'completed', video_url: expect.any(String) });
	});

	test('each row of a list, but not its paging', async () => {
		simulator.control.fail({ path: '/v3/videos', data: { title: null }, without: ['id'] });
		const { body } = await call('GET /v3/videos?limit=2');
		expect(body).toMatchObject({ data: [{ title: null }, { title: null }], has_more: true });
		expect(body.data[0]).not.toHaveProperty('id');
	});

	test('a replay by key is unchanged', async () => {
		const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': 'k' };
		simulator.control.fail({ path: '/v3/videos', without: ['video_id'], times: 1 });
		const changed = await call('POST /v3/videos', avatarVideo, headers);
		expect(changed.body.data).not.toHaveProperty('video_id');
		const again = await call('POST /v3/videos', avatarVideo, headers);
		expect(again.body.data.video_id).toEqual(expect.any(String));
		expect(jobs()).toBe(1);
	});
});

test('delays the response after the handler', async () => {
	simulator.control.fail({ path: '/v3/videos', lateMs: 60_000 });
	let hasResponse = false;
	const pending = call('POST /v3/videos', avatarVideo).finally(() => (hasResponse = true));
	await waitUntil(() => jobs() === 1, 'the handler');
	await call('GET /v3/voices');
	expect(hasResponse).toBe(false);
	simulator.control.clearFaults();
	expect((await pending).status).toBe(200);
});

test('applies with a probability, repeatable by seed', async () => {
	const readStatuses = async () => {
		simulator.control.fail({ probability: 0.5, status: 503 });
		const statuses: number[] = [];
		for (let i = 0; i < 30; i += 1) statuses.push((await call('GET /v3/videos')).status);
		return statuses;
	};
	const first = await readStatuses();
	await simulator.restart();
	expect(await readStatuses()).toEqual(first);
	await simulator.restart({ seed: 8 });
	expect(await readStatuses()).not.toEqual(first);
	expect(new Set(first)).toEqual(new Set([200, 503]));
});

test('applies to the storage: an error, a delay, and no response to stored bytes', async () => {
	const file = { filename: 'a.png', content_type: 'image/png', size_bytes: 4 };
	const ticket = await data('POST /v3/assets/direct-uploads', file);
	const put = async () => {
		const options = { method: 'PUT' as const, headers: ticket.upload_headers, body: 'abcd' };
		const reply = await request(ticket.upload_url, options);
		await reply.body.dump();
		return reply.statusCode;
	};
	const complete = () => call(`POST /v3/assets/${ticket.asset_id}/complete`, {});
	const path = /^\/storage\//;
	simulator.control.fail({ path, status: 503, times: 1 });
	expect(await put()).toBe(503);
	simulator.control.fail({ path, cut: 'after', delayMs: 3_600_000, times: 1 });
	const delayed = expect(put()).rejects.toThrow();
	await waitUntil(() => simulator.control.requests({ path }).length === 2);
	expect((await complete()).body.error.code).toBe('resource_not_ready');
	simulator.control.clearFaults();
	await delayed;
	expect((await complete()).status).toBe(200);
});
