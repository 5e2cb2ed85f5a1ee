import { startSimulator } from '../../simulator';
import { controlEndpoints } from '../../simulator/controlApi';
import { avatarVideo, createCaller, startReceiver, useSimulator, waitUntil } from './support';

const simulator = useSimulator({ jobSeconds: 50 });
const { call } = simulator;

const control = (line: string, body?: unknown) => call(line.replace(' ', ' /_control/'), body, {});

test('a reset removes what was created and keeps the catalog and the keys', async () => {
	await call('POST /v3/videos', avatarVideo);
	await call('POST /v3/webhooks/endpoints', { url: 'https://flows.example/a' });
	await call('DELETE /v3/videos/video_001');
	simulator.control.fail({ status: 500 });
	simulator.control.reset();
	expect(simulator.control.jobs('video')).toEqual([]);
	expect(simulator.control.endpoints()).toEqual([]);
	expect(simulator.control.requests()).toEqual([]);
	expect((await call('GET /v3/videos/video_001')).status).toBe(200);
	simulator.control.clock.advance(100);
	expect(simulator.control.deliveries()).toEqual([]);
});

test('a reset stops jobs, and deliveries in flight', async () => {
	const receiver = await startReceiver(() => null);
	const other = await startSimulator({ jobSeconds: 10, receiverTimeoutSeconds: 0.1 });
	const body = { ...avatarVideo, callback_url: receiver.origin };
	await createCaller(other)('POST /v3/videos', body);
	other.control.clock.advance(11);
	await waitUntil(() => receiver.received.length === 1);
	await createCaller(other)('POST /v3/videos', body);
	other.control.reset();
	other.control.clock.advance(11);
	await other.control.idle();
	other.control.clock.advance(100);
	await other.control.idle();
	expect(receiver.received).toHaveLength(1);
	expect(other.control.deliveries()).toEqual([]);
	await other.close();
	await receiver.close();
});

test('records requests with query, headers, body and status', async () => {
	await call('GET /v3/videos?limit=3&title=sale');
	await call('POST /v3/videos', { type: 'movie' });
	await call('POST /v3/videos', '{"broken');
	expect(simulator.control.requests({ method: 'get' })).toEqual([
		expect.objectContaining({
			path: '/v3/videos',
			query: { limit: '3', title: 'sale' },
			headers: expect.objectContaining({ 'x-api-key': simulator.apiKey }),
			status: 200,
			at: expect.any(Number),
		}),
	]);
	const [posted] = simulator.control.requests({ method: 'POST', path: /videos$/ });
	expect(posted).toMatchObject({ body: { type: 'movie' }, status: 400 });
	expect(simulator.control.requests({ path: '/v3/other' })).toEqual([]);
});

test('works over HTTP too', async () => {
	const readVideos = async (headers?: Record<string, string>) =>
		(await call('GET /v3/videos', undefined, headers)).status;
	expect((await control('POST faults', { pathPattern: '^/v3/vid', status: 503 })).status).toBe(200);
	expect(await readVideos()).toBe(503);
	await control('DELETE faults');
	expect(await readVideos()).toBe(200);

	const { key } = (await control('POST keys', { scopes: ['videos:read'] })).body;
	expect(await readVideos({ 'x-api-key': key })).toBe(200);
	const { token } = (await control('POST tokens')).body;
	const bearer = { authorization: `Bearer ${token}` };
	expect(await readVideos(bearer)).toBe(200);
	await control(`DELETE tokens/${token}`);
	expect(await readVideos(bearer)).toBe(401);

	const video = (await call('POST /v3/videos', avatarVideo)).body.data.video_id;
	await control(`POST jobs/${video}/fail`, { code: 'set', message: 'As set' });
	const { now } = (await control('GET clock')).body;
	expect((await control('POST clock', { advance: 60 })).body.now).toBeGreaterThanOrEqual(now + 60);
	const job = { id: video, status: 'failed', failure: { code: 'set' } };
	expect((await control('GET jobs/video')).body).toMatchObject([job]);
	expect((await control('POST jobs/gone/fail')).status).toBe(400);

	const endpoint = { url: 'https://flows.example/a' };
	const { endpoint_id, secret } = (await call('POST /v3/webhooks/endpoints', endpoint)).body.data;
	expect((await control('GET endpoints')).body).toHaveLength(1);
	expect((await control(`GET endpoints/${endpoint_id}/secret`)).body).toEqual({ secret });
	expect((await control('GET requests?method=POST&path=/v3/videos')).body).toHaveLength(1);
	await control('POST reset');
	expect((await control('GET jobs/video')).body).toEqual([]);
});

test('closes without waiting for delayed requests and running jobs', async () => {
	const other = await startSimulator({ jobSeconds: 1000 });
	await createCaller(other)('POST /v3/videos', avatarVideo);
	// A close that waited for the delay would exceed the timeout of the test.
	other.control.fail({ delayMs: 3_600_000 });
	const pending = createCaller(other)('GET /v3/videos').catch(() => 'cut');
	await waitUntil(() => other.control.requests({ method: 'GET' }).length === 1);
	await other.close();
	expect(await pending).toBe('cut');
});

test('rejects unknown fields and wrong types in every body, and says which', async () => {
	const open = ['POST rows/{table}/{id}'];
	for (const { line } of controlEndpoints.filter((one) => one.line.startsWith('POST '))) {
		if (open.includes(line)) continue;
		const reply = await control(line, { advnace: 60 });
		expect([line, reply.status, reply.body.error]).toEqual([
			line,
			400,
			expect.stringContaining('"advnace"'),
		]);
	}
	expect((await control('POST clock', { advance: '60' })).body.error).toContain('advance');
	expect((await control('POST rows/faults/1', { a: 1 })).body.error).toContain('no table faults');
	expect((await control('GET requests?methd=GET')).status).toBe(400);
	expect((await control('GET endpoints/gone/secret')).status).toBe(404);
});

test('lists its endpoints, with the schemas that validate them', async () => {
	const { paths, components } = (await call('GET /openapi.json')).body;
	expect(components.schemas.AvatarVideo).toMatchObject({
		additionalProperties: false,
		properties: { type: { const: 'avatar' }, avatar_id: { type: 'string' } },
	});
	expect(paths['/v3/videos'].get.parameters).toContainEqual(
		expect.objectContaining({ name: 'limit', in: 'query' }),
	);
	expect(paths['/_control/clock'].post.requestBody.content['application/json'].schema).toEqual({
		type: 'object',
		properties: { advance: { type: 'number', minimum: 0, description: 'Seconds' } },
		required: ['advance'],
		additionalProperties: false,
	});

	const { endpoints, openapi } = (await call('GET /')).body;
	expect(openapi).toBe(`${simulator.baseUrl}/openapi.json`);
	expect(endpoints).toEqual(expect.arrayContaining(['POST /v3/videos', 'POST /_control/clock']));
	expect(endpoints).toHaveLength(
		Object.values<object>(paths).flatMap((path) =>
			Object.keys(path).filter((key) => key !== 'parameters'),
		).length,
	);
	expect((await call('GET /', undefined, { accept: 'text/html' })).body).toContain('<h1>');
	// Neither is a request to the service.
	expect(simulator.control.requests()).toEqual([]);
	simulator.control.fail({ status: 500 });
	expect((await call('GET /openapi.json')).status).toBe(200);
});

test('takes a key of the caller, and links files under the public URL', async () => {
	await simulator.restart({ apiKey: 'my-key', publicUrl: 'http://simulator:4010' });
	expect(simulator.apiKey).toBe('my-key');
	expect(simulator.baseUrl).toBe('http://simulator:4010');
});
