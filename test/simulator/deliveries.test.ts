import { createHmac } from 'node:crypto';
import { avatarVideo, startReceiver, useSimulator, waitUntil } from './support';

const publicOrigin = 'https://flows.example';
const tunnels: Record<string, string> = {};
let getStatus: (count: number) => number | null;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeEach(async () => {
	getStatus = () => 200;
	receiver = await startReceiver((count) => getStatus(count));
	tunnels[publicOrigin] = receiver.origin;
});
afterEach(() => receiver.close());

const simulator = useSimulator({ jobSeconds: 10, retrySeconds: 100, tunnels });
const { data, rejection } = simulator;

const endpoints = 'POST /v3/webhooks/endpoints';
const register = (body: object = {}) => data(endpoints, { url: `${publicOrigin}/hook`, ...body });

async function advance(seconds: number) {
	simulator.control.clock.advance(seconds);
	await simulator.control.idle();
}

async function finishVideo(more = {}) {
	const { video_id } = await data('POST /v3/videos', { ...avatarVideo, ...more });
	await advance(11);
	return video_id as string;
}

const hmac = (secret: string, text = '') =>
	createHmac('sha256', secret).update(Buffer.from(text)).digest('hex');
const findServiceHeaders = (headers: object = {}) =>
	Object.keys(headers).filter((name) => name.startsWith('service-'));

test.each(['Service', 'Acme'])('signs the raw body, in headers of %s', async (headerPrefix) => {
	await simulator.restart({ headerPrefix });
	const prefix = headerPrefix.toLowerCase();
	const { secret } = await register();
	const video_id = await finishVideo({ callback_id: 'row-7', folder_id: 'folder_001', title: 'Ü' });
	const [got] = receiver.received;
	expect(receiver.received).toHaveLength(1);
	expect(got?.path).toBe('/hook');
	expect(got?.headers[`${prefix}-signature`]).toBe(hmac(secret, got?.text));
	expect(got?.headers[`${prefix}-event-id`]).toBe(got?.json.event_id);
	const [attempt] = simulator.control.deliveries();
	expect(got?.headers[`${prefix}-timestamp`]).toBe(String(Math.floor(attempt?.at ?? 0)));
	expect(got?.json).toEqual({
		event_id: expect.any(String),
		event_type: 'avatar_video.success',
		created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
		event_data: {
			video_id,
			url: expect.stringContaining('/media/'),
			gif_download_url: expect.any(String),
			video_page_url: expect.any(String),
			video_share_page_url: expect.any(String),
			folder_id: 'folder_001',
			callback_id: 'row-7',
		},
	});
});

test('delivers only the events and the entity of the endpoint', async () => {
	const first = await data('POST /v3/videos', avatarVideo);
	await register({ events: ['video_agent.success'] });
	await register({ url: `${publicOrigin}/entity`, entity_id: first.video_id });
	await data('POST /v3/video-agents', { prompt: 'Bread' });
	await finishVideo();
	const sent = receiver.received.map(({ path, json }) => [path, json.event_type]);
	expect(sent.sort()).toEqual([
		['/entity', 'avatar_video.success'],
		['/hook', 'video_agent.success'],
	]);
});

test('retries the same payload at doubling intervals until a 2xx response', async () => {
	getStatus = (count) => (count < 4 ? 500 : 204);
	const { secret } = await register();
	await finishVideo();
	for (const wait of [100, 200, 400]) {
		const before = receiver.received.length;
		await advance(wait - 50);
		expect(receiver.received).toHaveLength(before);
		simulator.control.clock.advance(51);
		await waitUntil(() => receiver.received.length === before + 1, `the retry after ${wait} s`);
		await simulator.control.idle();
	}
	await advance(10_000);
	const attempts = simulator.control.deliveries();
	expect(attempts.map(({ status, attempt }) => [status, attempt])).toEqual([
		[500, 1],
		[500, 2],
		[500, 3],
		[204, 4],
	]);
	expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
	const last = receiver.received[3];
	expect(last?.headers['service-signature']).toBe(hmac(secret, last?.text));
	expect(last?.headers['service-timestamp']).toBe(String(Math.floor(attempts[3]?.at ?? 0)));
});

test('gives up after a day', async () => {
	getStatus = () => 500;
	await register();
	await finishVideo();
	for (let round = 0; round < 30; round += 1) await advance(12 * 3600);
	const at = simulator.control.deliveries().map((attempt) => attempt.at);
	expect(at.length).toBeGreaterThan(2);
	expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeLessThanOrEqual(24.1 * 3600);
});

test('retries a receiver that does not respond in time', async () => {
	await simulator.restart({ receiverTimeoutSeconds: 2 });
	getStatus = (count) => (count === 1 ? null : 200);
	await register();
	await finishVideo();
	await advance(101);
	expect(simulator.control.deliveries()).toMatchObject([
		{ status: null, attempt: 1 },
		{ status: 200, attempt: 2 },
	]);
});

test('signs with the secret at the time of the attempt', async () => {
	getStatus = (count) => (count === 1 ? 500 : 200);
	const { endpoint_id, secret } = await register();
	await finishVideo();
	const rotated = await data(`POST /v3/webhooks/endpoints/${endpoint_id}/rotate-secret`);
	expect(rotated.secret).not.toBe(secret);
	await advance(101);
	const [first, second] = receiver.received;
	expect(first?.headers['service-signature']).toBe(hmac(secret, first?.text));
	expect(second?.headers['service-signature']).toBe(hmac(rotated.secret, second?.text));
});

test('delivers nothing to a deleted endpoint', async () => {
	getStatus = () => 500;
	const { endpoint_id } = await register();
	await finishVideo();
	await data(`DELETE /v3/webhooks/endpoints/${endpoint_id}`);
	await advance(101);
	await finishVideo();
	expect(receiver.received).toHaveLength(1);
});

test('never leaves loopback', async () => {
	await register({ url: 'https://elsewhere.example/hook' });
	await finishVideo({ callback_url: 'http://192.0.2.1/callback' });
	const rejected = { status: null, error: expect.stringContaining('rejected') };
	expect(simulator.control.deliveries()).toMatchObject([rejected, rejected]);
});

test('calls a callback URL once, unsigned, with the callback id', async () => {
	await finishVideo({ callback_url: `${receiver.origin}/back?row=7`, callback_id: 'row-7' });
	expect(receiver.received).toHaveLength(1);
	const [got] = receiver.received;
	expect([got?.path, findServiceHeaders(got?.headers)]).toEqual(['/back?row=7', []]);
	expect(got?.json).toEqual({
		event_type: 'avatar_video.success',
		event_data: expect.objectContaining({ callback_id: 'row-7' }),
	});
});

test.each([
	['success', { status: 'completed', video_url: expect.stringContaining('/media/') }],
	['fail', { status: 'failed', failure_message: 'Too dark' }],
])('notifies the callback URL of a model video, but no endpoint: %s', async (end, result) => {
	await register();
	const failure = { code: 'generation_failed', message: 'Too dark' };
	if (end === 'fail') simulator.control.failNext('model_video', failure);
	const callback = { callback_url: `${receiver.origin}/back`, callback_id: 'row-7' };
	const body = { mode: 'text_to_video', model: 'short-1', prompt: 'A wave', ...callback };
	const { video_id } = await data('POST /v3/models/videos', body);
	await advance(11);
	const event_data = { video_id, callback_id: 'row-7', ...result };
	const json = { event_type: `model_video.${end}`, event_data };
	expect(receiver.received).toMatchObject([{ path: '/back', json }]);
});

test('registers a URL once, and shows its secret once', async () => {
	const { endpoint_id, secret } = await register();
	expect(secret).toEqual(expect.any(String));
	const taken = { url: `${publicOrigin}/hook` };
	const conflict = [409, 'conflict', 'url'];
	expect(await rejection(endpoints, taken)).toEqual(conflict);
	const other = await register({ url: `${publicOrigin}/other` });
	const path = `PATCH /v3/webhooks/endpoints/${other.endpoint_id}`;
	expect(await rejection(path, taken)).toEqual(conflict);
	const events = ['avatar_video.success'];
	const patched = await data(`PATCH /v3/webhooks/endpoints/${endpoint_id}`, { events });
	expect(patched).toMatchObject({ events, secret: null });
	const hidden = { secret: null };
	expect(await data('GET /v3/webhooks/endpoints')).toMatchObject([hidden, hidden]);
});

describe('a custom delivery', () => {
	const event = { event_id: 'e1', event_type: 'avatar_video.success', event_data: {} };
	const send = (more: object = {}) =>
		simulator.control.deliver({ url: `${receiver.origin}/hook`, secret: 's', event, ...more });

	test('is valid by default', async () => {
		expect(await send({ eventId: 'e1' })).toEqual({ status: 200, body: 'seen' });
		const [got] = receiver.received;
		expect(got?.headers['service-signature']).toBe(hmac('s', got?.text));
		expect(got?.headers['service-event-id']).toBe('e1');
		expect(got?.json).toEqual(event);
	});

	test('can be tampered with, old, unsigned or foreign', async () => {
		await send({ tamper: true });
		await send({ timestampOffset: -400 });
		await send({ omit: ['signature', 'event-id'] });
		await send({ signature: 'zz', prefix: 'Acme' });
		const [tampered, old, unsigned, foreign] = receiver.received;
		expect(tampered?.headers['service-signature']).not.toBe(hmac('s', tampered?.text));
		expect(tampered?.json).toEqual(event);
		const age = simulator.control.clock.now() - Number(old?.headers['service-timestamp']);
		expect(age).toBeGreaterThan(399);
		expect(findServiceHeaders(unsigned?.headers)).toEqual(['service-timestamp']);
		expect(foreign?.headers['acme-signature']).toBe('zz');
	});

	test('never leaves loopback', async () => {
		await expect(send({ url: 'http://192.0.2.1/' })).rejects.toThrow('rejected');
	});
});
