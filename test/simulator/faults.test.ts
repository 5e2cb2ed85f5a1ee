import { request } from 'undici';
import { avatarVideo, useSimulator, waitUntil } from './support';

const simulator = useSimulator({ jobSeconds: 0, seed: 7 });
const { call, data } = simulator;

const jobs = () => simulator.control.jobs('video').length;

test.each([
	[502, { status: 502, body: '<html>Bad gateway</html>' }],
	[200, { body: { nothing: 'expected' } }],
	[503, { status: 503, body: '' }],
])('returns any body, with status %i: %j', async (status, fault) => {
	simulator.control.fail({ ...fault, times: 1 });
	const reply = await call('GET /v3/videos');
	expect([reply.status, reply.body]).toEqual([status, fault.body]);
});

test('returns the given error N times, to one method alone', async () => {
	const error = { code: 'insufficient_credit', message: 'No money', param: 'resolution' };
	simulator.control.fail({ method: 'post', path: '/v3/videos', status: 402, ...error, times: 2 });
	expect((await call('GET /v3/videos')).status).toBe(200);
	const create = async () => (await call('POST /v3/videos', avatarVideo)).body.error;
	expect([await create(), await create()]).toMatchObject([error, error]);
	expect([await create(), jobs()]).toEqual([undefined, 1]);
});

test('breaks the connection after the handler', async () => {
	simulator.control.fail({ path: '/v3/videos', cut: 'after', times: 1 });
	await expect(call('POST /v3/videos', avatarVideo)).rejects.toThrow();
	expect(jobs()).toBe(1);
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

test.each([
	[503, 'service_unavailable'],
	[429, 'rate_limit_exceeded'],
])('a %i of the service has an error body; that of a proxy has none', async (status, code) => {
	const fail = (more: object) => {
		simulator.control.fail({ path: '/v3/videos', status, times: 1, ...more });
		return call('POST /v3/videos', avatarVideo);
	};
	const service = await fail({ retryAfter: 2 });
	expect([service.status, service.headers['retry-after']]).toEqual([status, '2']);
	expect(service.body.error).toEqual({
		code,
		message: expect.any(String),
		param: null,
		doc_url: expect.any(String),
		request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
	});
	const proxy = await fail({ proxy: true });
	expect([proxy.status, proxy.headers['content-type']]).toEqual([status, 'text/html']);
	expect(proxy.body).toContain('<html>');
	expect(jobs()).toBe(0);
});

describe('changes the response:', () => {
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
