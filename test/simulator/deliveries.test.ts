import { createHmac } from 'node:crypto';
import { startSimulator, type Simulator } from '../../simulator';
import { caller, speaking, startReceiver, until, type Caller } from './support';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const PUBLIC = 'https://flows.example';
const open: Array<{ close(): Promise<unknown> }> = [];

let simulator: Simulator;
let receiver: Receiver;
let call: Caller;

async function start(
	answer?: (count: number) => number | null,
	options: { headerPrefix?: string; receiverTimeoutSeconds?: number; retrySeconds?: number } = {},
) {
	receiver = await startReceiver(answer);
	simulator = await startSimulator({
		jobSeconds: 10,
		tunnels: { [PUBLIC]: receiver.origin },
		...options,
	});
	call = caller(simulator);
	open.push(simulator, receiver);
}
afterEach(async () => {
	for (const thing of open.splice(0)) await thing.close();
});

const register = async (body: object = {}) =>
	(await call('POST /v3/webhooks/endpoints', { url: `${PUBLIC}/hook`, ...body })).body.data;

async function finish(more = {}) {
	const { body } = await call('POST /v3/videos', { ...speaking, ...more });
	simulator.control.clock.advance(11);
	await simulator.control.idle();
	return body.data.video_id as string;
}

const hmac = (secret: string, text: string) =>
	createHmac('sha256', secret).update(Buffer.from(text)).digest('hex');

test('signs the raw body with the secret of the endpoint', async () => {
	await start();
	const endpoint = await register();
	expect(endpoint).toMatchObject({ status: 'enabled', events: null, secret: expect.any(String) });
	const video = await finish({ callback_id: 'row-7', folder_id: 'folder_001', title: 'Grüße' });
	const [got] = receiver.received;
	expect(receiver.received).toHaveLength(1);
	expect(got?.path).toBe('/hook');
	expect(got?.headers['service-signature']).toBe(hmac(endpoint.secret, got?.text ?? ''));
	expect(got?.headers['service-event-id']).toBe(got?.json.event_id);
	const stamp = Number(got?.headers['service-timestamp']);
	expect(Math.abs(stamp - simulator.control.clock.now())).toBeLessThan(60);
	expect(got?.json).toEqual({
		event_id: expect.any(String),
		event_type: 'avatar_video.success',
		created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		event_data: {
			video_id: video,
			url: expect.stringContaining('/media/'),
			gif_download_url: expect.any(String),
			video_page_url: expect.any(String),
			video_share_page_url: expect.any(String),
			folder_id: 'folder_001',
			callback_id: 'row-7',
		},
	});
});

test('names its headers with the prefix it was given', async () => {
	await start(undefined, { headerPrefix: 'Acme' });
	await register();
	await finish();
	const names = Object.keys(receiver.received[0]?.headers ?? {});
	expect(names).toEqual(
		expect.arrayContaining(['acme-signature', 'acme-timestamp', 'acme-event-id']),
	);
	expect(names).not.toContain('service-signature');
});

test('sends only what the endpoint subscribed to', async () => {
	await start();
	await register({ events: ['video_agent.success'] });
	await finish();
	await call('POST /v3/video-agents', { prompt: 'Bread' });
	simulator.control.clock.advance(11);
	await simulator.control.idle();
	expect(receiver.received.map(({ json }) => json.event_type)).toEqual(['video_agent.success']);
});

test('sends only what concerns the entity of the endpoint', async () => {
	await start();
	const { body } = await call('POST /v3/videos', speaking);
	await register({ entity_id: body.data.video_id });
	await finish();
	expect(receiver.received.map(({ json }) => json.event_data.video_id)).toEqual([
		body.data.video_id,
	]);
});

test('tells of failures', async () => {
	await start();
	await register();
	simulator.control.failNext('video', { code: 'moderation', message: 'Not this' });
	const video = await finish();
	expect(receiver.received[0]?.json).toMatchObject({
		event_type: 'avatar_video.fail',
		event_data: { video_id: video, msg: 'Not this', callback_id: null },
	});
	await call('POST /v3/video-agents', { prompt: 'FAIL', callback_id: 'c' });
	simulator.control.clock.advance(11);
	await simulator.control.idle();
	expect(receiver.received[1]?.json).toMatchObject({
		event_type: 'video_agent.fail',
		event_data: { session_id: expect.stringMatching(/^sess_/), callback_id: 'c' },
	});
});

test('repeats the same payload with doubling waits until it is taken', async () => {
	await start((count) => (count < 4 ? 500 : 204), { retrySeconds: 100 });
	const { secret } = await register();
	await finish();
	for (const wait of [100, 200, 400]) {
		const before = receiver.received.length;
		simulator.control.clock.advance(wait - 50);
		await simulator.control.idle();
		expect(receiver.received).toHaveLength(before);
		simulator.control.clock.advance(51);
		await until(() => receiver.received.length === before + 1, `the retry after ${wait} s`);
		await simulator.control.idle();
	}
	simulator.control.clock.advance(10_000);
	await simulator.control.idle();
	const attempts = simulator.control.deliveries();
	expect(attempts.map(({ status, attempt }) => [status, attempt])).toEqual([
		[500, 1],
		[500, 2],
		[500, 3],
		[204, 4],
	]);
	expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
	expect(new Set(attempts.map(({ event_id }) => event_id)).size).toBe(1);
	const stamps = receiver.received.map(({ headers }) => Number(headers['service-timestamp']));
	expect(stamps[3]).toBeGreaterThanOrEqual((stamps[0] ?? 0) + 700);
	const last = receiver.received[3];
	expect(last?.headers['service-signature']).toBe(hmac(secret, last?.text ?? ''));
});

test('gives up after a day', async () => {
	await start(() => 500);
	await register();
	await finish();
	for (let round = 0; round < 30; round += 1) {
		simulator.control.clock.advance(12 * 3600);
		await simulator.control.idle();
	}
	const attempts = simulator.control.deliveries();
	const first = attempts[0]?.at ?? 0;
	expect(attempts.length).toBeGreaterThan(2);
	expect((attempts.at(-1)?.at ?? 0) - first).toBeLessThanOrEqual(24.1 * 3600);
});

test('a receiver that does not answer in time has not answered', async () => {
	await start((count) => (count === 1 ? null : 200), {
		receiverTimeoutSeconds: 2,
		retrySeconds: 100,
	});
	await register();
	await finish();
	expect(simulator.control.deliveries()).toMatchObject([{ status: null, attempt: 1 }]);
	simulator.control.clock.advance(101);
	await simulator.control.idle();
	expect(simulator.control.deliveries()[1]).toMatchObject({ status: 200, attempt: 2 });
});

test('a rotated secret signs from then on, retries too', async () => {
	await start((count) => (count === 1 ? 500 : 200), { retrySeconds: 100 });
	const { endpoint_id, secret } = await register();
	await finish();
	const rotated = await call(`POST /v3/webhooks/endpoints/${endpoint_id}/rotate-secret`);
	expect(rotated.body.data).toEqual({ endpoint_id, secret: expect.any(String) });
	expect(rotated.body.data.secret).not.toBe(secret);
	simulator.control.clock.advance(101);
	await simulator.control.idle();
	const [first, second] = receiver.received;
	expect(first?.headers['service-signature']).toBe(hmac(secret, first?.text ?? ''));
	expect(second?.headers['service-signature']).toBe(
		hmac(rotated.body.data.secret, second?.text ?? ''),
	);
});

test('a deleted endpoint gets nothing more', async () => {
	await start(() => 500, { retrySeconds: 100 });
	const { endpoint_id } = await register();
	await finish();
	expect((await call(`DELETE /v3/webhooks/endpoints/${endpoint_id}`)).body.data).toEqual({});
	simulator.control.clock.advance(101);
	await simulator.control.idle();
	await finish();
	expect(receiver.received).toHaveLength(1);
	const again = await call(`DELETE /v3/webhooks/endpoints/${endpoint_id}`);
	expect(again.status).toBe(404);
	expect(again.body.error.code).toBe('webhook_not_found');
});

test('never leaves loopback', async () => {
	await start();
	await register({ url: 'https://elsewhere.example/hook' });
	await finish({ callback_url: 'http://192.0.2.1/callback' });
	expect(simulator.control.deliveries()).toEqual([
		expect.objectContaining({ status: null, error: expect.stringContaining('refused') }),
		expect.objectContaining({ status: null, error: expect.stringContaining('refused') }),
	]);
	expect(receiver.received).toHaveLength(0);
});

test('calls back once, unsigned, with the callback id', async () => {
	await start();
	await finish({ callback_url: `${receiver.origin}/back?row=7`, callback_id: 'row-7' });
	expect(receiver.received).toHaveLength(1);
	const [got] = receiver.received;
	expect(got?.path).toBe('/back?row=7');
	expect(Object.keys(got?.headers ?? {}).filter((name) => name.startsWith('service-'))).toEqual([]);
	expect(got?.json).toEqual({
		event_type: 'avatar_video.success',
		event_data: expect.objectContaining({ callback_id: 'row-7' }),
	});
});

test('model videos call back, and no endpoint hears of them', async () => {
	await start();
	await register();
	const film = async () => {
		const { body } = await call('POST /v3/models/videos', {
			mode: 'text_to_video',
			model: 'short-1',
			prompt: 'A wave',
			callback_url: `${receiver.origin}/back`,
			callback_id: 'row-7',
		});
		simulator.control.clock.advance(11);
		await simulator.control.idle();
		return body.data.video_id as string;
	};
	const good = await film();
	simulator.control.failNext('model_video', { code: 'generation_failed', message: 'Too dark' });
	const bad = await film();
	expect(receiver.received.map(({ path, json }) => [path, json])).toEqual([
		[
			'/back',
			{
				event_type: 'model_video.success',
				event_data: expect.objectContaining({
					video_id: good,
					status: 'completed',
					video_url: expect.stringContaining('/media/'),
					callback_id: 'row-7',
				}),
			},
		],
		[
			'/back',
			{
				event_type: 'model_video.fail',
				event_data: expect.objectContaining({
					video_id: bad,
					status: 'failed',
					failure_message: 'Too dark',
					callback_id: 'row-7',
				}),
			},
		],
	]);
});

test('a batch calls back once, when its last item ends', async () => {
	await start();
	const { body } = await call('POST /v3/videos/batches', {
		videos: [speaking, speaking],
		callback_url: `${PUBLIC}/batch`,
	});
	simulator.control.clock.advance(11);
	await simulator.control.idle();
	expect(
		receiver.received.map(({ path, json }) => [path, json.event_type, json.event_data]),
	).toEqual([
		[
			'/batch',
			'batch.finished',
			{
				batch_id: body.data.batch_id,
				status: 'completed',
				total_items: 2,
				counts_by_status: { completed: 2 },
			},
		],
	]);
});

test('a URL is registered once', async () => {
	await start();
	const { endpoint_id } = await register();
	const twice = await call('POST /v3/webhooks/endpoints', { url: `${PUBLIC}/hook` });
	expect(twice.status).toBe(409);
	expect(twice.body.error.code).toBe('conflict');
	const other = await register({ url: `${PUBLIC}/other`, events: ['video_agent.fail'] });
	const moved = await call(`PATCH /v3/webhooks/endpoints/${other.endpoint_id}`, {
		url: `${PUBLIC}/hook`,
	});
	expect(moved.status).toBe(409);
	const patched = await call(`PATCH /v3/webhooks/endpoints/${endpoint_id}`, {
		events: ['avatar_video.success'],
	});
	expect(patched.body.data).toMatchObject({ events: ['avatar_video.success'], secret: null });
	const { body } = await call('GET /v3/webhooks/endpoints');
	expect(body.data).toHaveLength(2);
	expect(body.data.every(({ secret }: { secret: null }) => secret === null)).toBe(true);
});

test('lists delivered events and types', async () => {
	await start();
	await register();
	const video = await finish();
	await finish();
	const events = await call('GET /v3/webhooks/events?event_type=avatar_video.success');
	expect(events.body.data).toHaveLength(2);
	const one = await call(`GET /v3/webhooks/events?entity_id=${video}`);
	expect(one.body.data).toEqual([
		{
			event_id: receiver.received[0]?.json.event_id,
			event_type: 'avatar_video.success',
			event_data: expect.objectContaining({ video_id: video }),
			created_at: expect.any(String),
		},
	]);
	const types = await call('GET /v3/webhooks/event-types');
	expect(types.body).toMatchObject({ has_more: false, next_token: null });
	expect(types.body.data).toContainEqual({
		event_type: 'video_agent.success',
		description: expect.any(String),
	});
});

describe('hand-made deliveries', () => {
	const event = { event_id: 'e1', event_type: 'avatar_video.success', event_data: {} };

	test('are good unless told otherwise', async () => {
		await start();
		const url = `${receiver.origin}/hook`;
		const reply = await simulator.control.deliver({ url, secret: 's', event, eventId: 'e1' });
		expect(reply).toEqual({ status: 200, body: 'seen' });
		const [got] = receiver.received;
		expect(got?.headers['service-signature']).toBe(hmac('s', got?.text ?? ''));
		expect(got?.headers['service-event-id']).toBe('e1');
		expect(got?.json).toEqual(event);
	});

	test('can be tampered with, old, unsigned or foreign', async () => {
		await start();
		const url = `${receiver.origin}/hook`;
		const send = (more: object) => simulator.control.deliver({ url, secret: 's', event, ...more });
		await send({ tamper: true });
		await send({ timestampOffset: -400 });
		await send({ omit: ['signature', 'event-id'] });
		await send({ signature: 'zz', prefix: 'Acme' });
		const [tampered, old, bare, foreign] = receiver.received;
		expect(tampered?.headers['service-signature']).not.toBe(hmac('s', tampered?.text ?? ''));
		expect(tampered?.json).toEqual(event);
		const age = simulator.control.clock.now() - Number(old?.headers['service-timestamp']);
		expect(age).toBeGreaterThan(399);
		expect(Object.keys(bare?.headers ?? {}).filter((name) => name.startsWith('service-'))).toEqual([
			'service-timestamp',
		]);
		expect(foreign?.headers['acme-signature']).toBe('zz');
	});

	test('do not leave loopback either', async () => {
		await start();
		await expect(
			simulator.control.deliver({ url: 'http://192.0.2.1/', secret: 's', event }),
		).rejects.toThrow('refused');
	});
});
