/** Which deliveries start an execution. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { readLog } from '../support/calls';
import { clock } from '../support/core';
import {
	activate,
	execute,
	callHook,
	receive,
	type Flow,
	type Incoming,
} from '../support/contexts';
import { loadNodeType } from '../support/engine';
import { loadInNewProcess } from '../support/newProcess';
import {
	deliver,
	createDelivery,
	createEvent,
	readStored,
	origin,
	recorded,
	storeFaults,
	storeUses,
	useTrigger,
	selectedEvents,
	type DeliveryResult,
	type DeliveryChanges,
} from '../support/trigger';
import { waitFor } from '../support/time';

/** The workflow that receives the deliveries of the service. */
let receiving: Flow | undefined;
let received: DeliveryResult[] = [];

const receiver = createServer((incoming, outgoing) => {
	const pieces: Buffer[] = [];
	incoming.on('data', (piece: Buffer) => pieces.push(piece));
	incoming.on('end', async () => {
		const { headers } = incoming;
		if (!receiving) return outgoing.writeHead(404).end();
		const response = await receive(receiving, { headers, rawBody: Buffer.concat(pieces) });
		const ran = response.started ? await execute(receiving, response.started) : {};
		received.push({ ...response, ...ran });
		outgoing.writeHead(response.status).end(response.message);
	});
});

const tunnels: Record<string, string> = {};
beforeAll(async () => {
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	tunnels[origin] = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
const { service, activateTrigger, getEndpoint, call } = useTrigger({ tunnels });
afterAll(async () => {
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
	receiving = undefined;
	received = [];
});
afterEach(() => jest.restoreAllMocks());

const loadInAnotherProcess = () => loadInNewProcess('VideoGenTrigger');

const seen = { status: 200, message: 'Already received.' };
const accepted = expect.objectContaining({ status: 200, items: [expect.anything()] });
const rejected = expect.objectContaining({ status: 401 });

describe('a delivery of the service', () => {
	const speaking = {
		type: 'avatar',
		avatar_id: 'look_001_1',
		script: 'Good morning to everybody.',
	};

	/** Creates a video, which ends at the next request, and waits for its delivery. */
	async function finishVideo(more: object = {}) {
		const created = await call('POST /v3/videos', { ...speaking, ...more });
		await call('GET /v3/users/me');
		await service.control.idle();
		return created;
	}

	test('starts one execution for a finished video', async () => {
		receiving = await activateTrigger({ events: selectedEvents });
		const { video_id } = await finishVideo({ title: 'Grüße', callback_id: 'row-7' });
		expect(service.control.deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
		const [delivery] = service.control.deliveries();
		expect(received).toMatchObject([{ status: 200, message: 'Received' }]);
		expect(received[0]?.items?.map(({ json }) => json)).toEqual([
			{
				event_id: delivery?.event_id,
				event_type: 'avatar_video.success',
				created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
				status: 'completed',
				video_id,
				video_url: expect.stringContaining('http'),
				gif_download_url: expect.stringContaining('http'),
				video_page_url: expect.stringContaining('http'),
				video_share_page_url: expect.stringContaining('http'),
				folder_id: null,
				callback_id: 'row-7',
			},
		]);
		const headers = Object.entries(delivery?.headers ?? {}).map(([key, value]) => [
			key.toLowerCase(),
			value,
		]);
		const rawBody = Buffer.from(delivery?.body ?? '');
		const repeat = { headers: Object.fromEntries(headers) as Record<string, string>, rawBody };
		expect(await receive(receiving, repeat)).toEqual(seen);
	});

	test('that was rejected is accepted when it is repeated, because the trigger has a new secret', async () => {
		receiving = await activateTrigger({}, { node: { id: 'with-an-old-secret' } });
		await call(`POST /v3/webhooks/endpoints/${getEndpoint().id}/rotate-secret`);
		await finishVideo();
		expect(received).toMatchObject([{ status: 503 }]);
		service.control.clock.advance(101);
		await service.control.idle();
		expect(received).toMatchObject([{ status: 503 }, accepted]);
	});
});

describe('a delivery is rejected with', () => {
	const now = 1_800_000_000_000;
	const without = (name: string): DeliveryChanges => ({
		headers: { [`service-${name}`]: undefined },
	});

	test.each<[string, DeliveryChanges, string]>([
		['a changed body', { arrivingBody: '{"event_id": "other"}' }, 'does not match'],
		['another secret', { secret: 'whsec_other' }, 'does not match'],
		['no signature', without('signature'), 'signature header is missing'],
		['no timestamp', without('timestamp'), 'timestamp is missing'],
		['an old timestamp', { timestampOffset: -301 }, 'differs from the current time'],
	])('%s', async (_, sent, why) => {
		const flow = await activateTrigger();
		jest.spyOn(clock, 'now').mockReturnValue(now);
		const lines = readLog();
		expect(await deliver(flow, sent)).toEqual({
			status: 401,
			message: expect.stringContaining(why),
		});
		// Only the service sees the response, so the log informs the user.
		expect(lines).toEqual([
			expect.stringMatching(
				new RegExp(`^warn .*\\(workflow .+\\) rejected a delivery: .*${why}.*\\S$`),
			),
		]);
	});

	test('a bare signature, if neither a header nor the event has a time', async () => {
		const flow = await activateTrigger();
		const bare = (event: IDataObject) => {
			const delivery = createDelivery(flow, { body: JSON.stringify(event) });
			const { 'service-signature': signature } = delivery.headers;
			return { ...delivery, headers: { 'content-type': 'application/json', signature } };
		};
		const timed = await receive(flow, bare(createEvent()));
		expect(timed).toMatchObject({ status: 200 });
		const untimed = await receive(flow, bare(createEvent({ created_at: undefined })));
		expect(untimed).toMatchObject({ status: 401, message: expect.stringContaining('timestamp') });
		const old = new Date(now - 26 * 3600 * 1000).toISOString();
		expect((await receive(flow, bare(createEvent({ created_at: old })))).status).toBe(401);
	});

	test('an event that is more than 25 hours old, however new its timestamp is', async () => {
		const flow = await activateTrigger();
		const time = jest.spyOn(clock, 'now').mockReturnValue(now);
		const body = JSON.stringify(createEvent());
		time.mockReturnValue(now + (25 * 3600 + 1) * 1000);
		expect(await deliver(flow, { body })).toEqual({
			status: 401,
			message:
				'The delivery was rejected. The event is more than 25 hours old, or its time is in the future.',
		});
		time.mockReturnValue(now + 24 * 3600 * 1000);
		expect(await deliver(flow, { body })).toEqual(accepted);
	});

	// n8n starts a failed execution for every error that a webhook throws.
	test('a form with files, whose body n8n does not read', async () => {
		const flow = await activateTrigger();
		const form = { 'content-type': 'multipart/form-data; boundary=x' };
		const { headers } = createDelivery(flow, { headers: form });
		const { status, started } = await receive(flow, { headers });
		expect([status, started]).toEqual([401, undefined]);
	});

	test.each(['{"event_type":', 'null', '[]'])(
		'status 400 if it is signed but no JSON object: %p',
		async (body) => {
			expect(await deliver(await activateTrigger(), { body })).toEqual({
				status: 400,
				message: expect.stringContaining('JSON'),
			});
		},
	);

	test('status 401 if the trigger has no secret, even if it is signed with "undefined"', async () => {
		const flow: Flow = { service, parameters: {}, staticData: {} };
		expect(await deliver(flow, { secret: 'undefined' })).toEqual({
			status: 401,
			message: expect.stringContaining('No endpoint'),
		});
	});
});

test('without its credential, the trigger accepts signed deliveries only', async () => {
	const flow = await activateTrigger();
	// The credential of the workflow was deleted.
	flow.credential = { baseUrl: undefined, apiKey: undefined };
	expect(await deliver(flow, { headers: { 'service-signature': undefined } })).toEqual(rejected);
	expect(await deliver(flow)).toEqual(accepted);
});

test('an event that is not selected has status 200 and starts no execution, but must be signed', async () => {
	const flow = await activateTrigger({ events: ['avatar_video.fail'] });
	const message = 'The trigger does not listen for this event.';
	expect(await deliver(flow)).toEqual({ status: 200, message });
	const body = JSON.stringify(createEvent({ event_type: 'avatar_video.fail' }));
	expect(await deliver(flow, { body })).toEqual(accepted);
	expect(await deliver(flow, { secret: 'whsec_other' })).toEqual(rejected);
});

/** An event that can be delivered several times. */
const createSent = () => ({ body: JSON.stringify(createEvent()), eventId: randomUUID() });

describe.each([1, 2])('version %d of the trigger', (typeVersion) => {
	const node = { typeVersion };

	test('starts an execution for a signed delivery, and rejects a forged one', async () => {
		const flow = await activateTrigger({ events: selectedEvents }, { node });
		expect(getEndpoint().events).toEqual(selectedEvents);
		expect(await deliver(flow)).toEqual(accepted);
		expect(await deliver(flow, { secret: 'whsec_other' })).toEqual(rejected);
	});

	test('reads a body whose content type n8n does not parse', async () => {
		const flow = await activateTrigger({}, { node });
		const headers = { 'content-type': 'application/octet-stream' };
		const { rawBody, ...delivery } = createDelivery(flow, { headers });
		const incoming: Incoming = {
			...delivery,
			async readRawBody() {
				this.rawBody = rawBody;
			},
		};
		const { status, started } = await receive(flow, incoming);
		expect([status, started]).toEqual([200, [expect.anything()]]);
	});

	test('rejects a body that cannot be read', async () => {
		const flow = await activateTrigger({}, { node });
		const { headers } = createDelivery(flow);
		const readRawBody = async () => await Promise.reject(new Error('The upload was aborted'));
		const { status, started } = await receive(flow, { headers, readRawBody });
		expect([status, started]).toEqual([401, undefined]);
	});
});

test('a new trigger has version 2', () => {
	const { version, defaultVersion } = loadNodeType('VideoGenTrigger').description;
	expect({ version, defaultVersion }).toEqual({ version: [1, 2], defaultVersion: 2 });
});

describe('a repeated delivery', () => {
	test.each<[string, DeliveryChanges]>([
		['that is identical', {}],
		[
			'with another event ID, timestamp and prefix, which are not signed',
			{ eventId: 'other', timestampOffset: 60, prefix: 'Acme' },
		],
	])('%s starts no second execution, and outputs no item in another process', async (_, change) => {
		const flow = await activateTrigger();
		const first = createSent();
		expect(await deliver(flow, first)).toEqual(accepted);
		expect(await deliver(flow, { ...first, ...change })).toEqual(seen);

		// The new process knows the delivery from n8n's store.
		const type = loadInAnotherProcess();
		const repeat = await deliver(flow, { ...first, ...change }, { type });
		expect(repeat).toMatchObject({ status: 200, items: [], error: undefined });
		expect(await deliver(flow, {}, { type })).toEqual(accepted);
	});

	test('is recognized by the event ID in its signed body, also in another process', async () => {
		const flow = await activateTrigger();
		const event = createEvent();
		expect(await deliver(flow, { body: JSON.stringify(event) })).toEqual(accepted);
		const body = JSON.stringify({ ...event, event_data: { video_id: 'video_002' } });
		expect(await deliver(flow, { body })).toEqual(seen);
		const type = loadInAnotherProcess();
		expect((await deliver(flow, { body }, { type })).items).toEqual([]);
	});

	// The header is not signed.
	test.each([
		['with', () => randomUUID()],
		['without', () => undefined],
	])('is not confused with another event under its header, %s IDs', async (_, createId) => {
		const flow = await activateTrigger();
		const eventId = randomUUID();
		for (const video_id of ['video_001', 'video_002']) {
			const body = JSON.stringify(createEvent({ event_id: createId(), event_data: { video_id } }));
			const { items } = await deliver(flow, { body, eventId });
			expect(items).toMatchObject([{ json: { video_id, event_id: expect.any(String) } }]);
			expect(await deliver(flow, { body })).toEqual(seen);
		}
	});

	test('is deferred while n8n stores the execution of the first one', async () => {
		const flow = await activateTrigger();
		const delivery = createDelivery(flow);
		let stored = () => {};
		const storing = new Promise<void>((resolve) => (stored = resolve));
		const first = receive(flow, delivery, { store: () => storing });
		await new Promise((resolve) => setImmediate(resolve));
		expect(await receive(flow, delivery)).toEqual({
			status: 503,
			message: expect.stringContaining('Send the event again'),
		});
		stored();
		expect(await first).toMatchObject({ status: 200, started: [{}] });
		expect(await receive(flow, delivery)).toEqual(seen);
	});

	test('is accepted if n8n could not store the execution of the first one', async () => {
		const flow = await activateTrigger();
		const delivery = createDelivery(flow);
		const store = async () => {
			throw new Error('database is locked');
		};
		expect(await receive(flow, delivery, { store })).toMatchObject({ status: 500 });
		expect(await receive(flow, delivery)).toMatchObject({ status: 200, started: [{}] });
		expect(await receive(flow, delivery)).toEqual(seen);
	});

	test('starts an execution without items if the connection broke before the first response', async () => {
		const flow = await activateTrigger();
		const sent = createSent();
		expect((await deliver(flow, sent, { hangUp: true })).items).toHaveLength(1);
		expect((await deliver(flow, sent)).items).toEqual([]);
	});

	test('is recognized after the trigger was deactivated and activated', async () => {
		const flow = await activateTrigger();
		const { body } = createSent();
		expect(await deliver(flow, { body })).toEqual(accepted);
		await callHook(flow, 'delete');
		await activate(flow);
		expect(await deliver(flow, { body })).toEqual(seen);
	});

	test('is accepted if the first one was rejected', async () => {
		const flow = await activateTrigger();
		const sent = createSent();
		expect(await deliver(flow, { ...sent, secret: 'whsec_other' })).toEqual(rejected);
		expect(await deliver(flow, sent)).toEqual(accepted);
	});

	test('is recognized as long as the service may send it', async () => {
		const flow = await activateTrigger();
		const time = jest.spyOn(clock, 'now').mockReturnValue(1_900_000_000_000);
		// Without a time in the event, only the memory of the trigger recognizes it.
		const body = JSON.stringify(createEvent({ created_at: undefined }));
		expect(await deliver(flow, { body })).toEqual(accepted);
		time.mockReturnValue(1_900_000_000_000 + 24 * 3_600_000);
		expect(await deliver(flow, { body })).toEqual(seen);
	});
});

describe('the event store of n8n', () => {
	type Started = INodeExecutionData[];

	/** Receives a delivery, and returns the input of its execution. */
	const receiveOnly = async (flow: Flow, sent: DeliveryChanges = {}): Promise<Started> =>
		(await receive(flow, createDelivery(flow, sent))).started ?? [];

	/** Activates a trigger which receives N deliveries. */
	async function receiveMany(count: number) {
		const flow = await activateTrigger();
		const all: Started[] = [];
		for (let i = 0; i < count; i++) all.push(await receiveOnly(flow));
		return { flow, all };
	}

	/** Returns the input of executions of repeated deliveries. Each delivery has its own ID. */
	const repeat = (all: Started[]): Started[] =>
		all.map((one) => one.map(({ json }) => ({ json: { ...json, delivery: randomUUID() } })));

	/** Runs these executions at the same time, and counts their items. */
	const countItems = async (flow: Flow, all: Started[], type?: INodeType) =>
		(await Promise.all(all.map(async (one) => await execute(flow, one, { type })))).map(
			({ items }) => items.length,
		);

	test('is complete after many executions at the same time, with two entries per event', async () => {
		const { flow, all } = await receiveMany(30);
		expect(await countItems(flow, all)).toEqual(Array(30).fill(1));
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([60]);
		// Executions wait together for one write, not for one another.
		expect(storeUses.length).toBeLessThan(5);
		expect(await countItems(flow, repeat(all))).toEqual(Array(30).fill(0));
	});

	test('lets only one of several simultaneous executions output an event', async () => {
		const { flow, all } = await receiveMany(3);
		const [one = [], two = [], three = []] = all;
		const runs = await Promise.all(
			[two, one, one, three, one].map(async (input) => await execute(flow, input)),
		);
		const outputIds = runs.flatMap(({ items }) => items.map(({ json }) => json.event_id));
		expect(outputIds).toHaveLength(3);
		expect(new Set(outputIds).size).toBe(3);
	});

	test('works again after an error, and no event is lost meanwhile', async () => {
		const { flow, all } = await receiveMany(3);
		storeFaults.push(new Error('locked'), new Error('locked'));
		const log = readLog();
		expect(await countItems(flow, all)).toEqual([1, 1, 1]);
		expect(log[0]).toMatch(
			/^warn .* cannot check whether an event has already been received: locked$/,
		);
		const last = await receiveOnly(flow);
		expect(await countItems(flow, [last])).toEqual([1]);
		expect(await countItems(flow, repeat([last]))).toEqual([0]);
	});

	test('does not grow beyond 1,000 events', async () => {
		const { flow, all } = await receiveMany(2);
		await countItems(flow, all.slice(0, 1));
		const [place = '', entries = []] = [...recorded][0] ?? [];
		recorded.set(place, [...entries, ...Array.from({ length: 1998 }, (_, i) => `mark ${i}`)]);
		await countItems(flow, all.slice(1));
		expect(recorded.get(place)).toHaveLength(2000);
		expect(recorded.get(place)).not.toContain(entries[0]);
	});

	test('gets 400 recent entries with each write, to restore those that are lost', async () => {
		const { flow, all } = await receiveMany(2);
		const [[event] = [], next = []] = all;
		// Events that a check has found are written together.
		const found = Array.from({ length: 500 }, (_, i) => ({
			json: { ...event?.json, digest: `digest ${i}` },
		}));
		expect((await execute(flow, found)).items).toHaveLength(500);
		expect(await countItems(flow, [next])).toEqual([1]);
		expect(storeUses.slice(0, 2)).toEqual([501, 402]);
	});

	test('gets each recent entry once, also after a repeated event', async () => {
		const { flow, all } = await receiveMany(2);
		jest.spyOn(clock, 'sleep').mockReturnValue(new Promise(() => undefined));
		const [one, two] = all.map((input) => [input]) as [Started[], Started[]];
		for (const input of [one, one, two]) await countItems(flow, input);
		expect(storeUses).toEqual([2, 4, 4]);
	});

	test('is checked after a random pause, by one check at a time, which starts again after an error', async () => {
		const { flow, all } = await receiveMany(3);
		jest.spyOn(Math, 'random').mockReturnValue(0.25);
		let endPause = () => {};
		const sleep = jest
			.spyOn(clock, 'sleep')
			.mockImplementation(async () => await new Promise<void>((resolve) => (endPause = resolve)));
		await countItems(flow, all.slice(0, 1));
		await countItems(flow, all.slice(1, 2));
		expect(sleep.mock.calls).toEqual([[750]]);
		storeFaults.push(new Error('locked'), new Error('locked'));
		endPause();
		await waitFor(() => storeFaults.length === 0);
		await countItems(flow, all.slice(2));
		expect(sleep).toHaveBeenCalledTimes(2);
		// One entry is lost: the check writes it again, and is repeated.
		for (const [place, entries] of recorded) recorded.set(place, entries.slice(1));
		endPause();
		await waitFor(() => sleep.mock.calls.length === 3);
		endPause();
		await waitFor(() => storeUses.length === 7);
		await new Promise((resolve) => setImmediate(resolve));
		expect(sleep).toHaveBeenCalledTimes(3);
		expect(storeUses).toEqual([2, 4, 4, 4, 6, 6, 6]);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([6]);
	});

	test('recognizes an event whose entries another process has just overwritten', async () => {
		const { flow, all } = await receiveMany(1);
		expect(await countItems(flow, all)).toEqual([1]);
		for (const place of recorded.keys()) recorded.set(place, []);
		expect(await countItems(flow, repeat(all))).toEqual([0]);
	});

	test('can be created by two processes at the same time', async () => {
		const { flow, all } = await receiveMany(2);
		const type = loadInAnotherProcess();
		const [one, two] = [countItems(flow, all.slice(0, 1)), countItems(flow, all.slice(1), type)];
		expect([await one, await two]).toEqual([[1], [1]]);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([4]);
	});

	test('keeps entries that another process overwrites at the same time', async () => {
		const { flow, all } = await receiveMany(40);
		// Each process runs half of the executions, five at a time.
		const runHalf = async (own: Started[], type?: INodeType) => {
			for (let i = 0; i < own.length; i += 5) await countItems(flow, own.slice(i, i + 5), type);
		};
		const other = loadInAnotherProcess();
		await Promise.all([runHalf(all.slice(0, 20)), runHalf(all.slice(20), other)]);
		// Entries that were overwritten last are written again after a second.
		await waitFor(() => new Set([...recorded.values()].flat()).size === 80);
		const third = loadInAnotherProcess();
		expect(await countItems(flow, repeat(all), third)).toEqual(Array(40).fill(0));
	});

	test('contains no event of a manual execution, which would prevent that of production', async () => {
		const { flow, all } = await receiveMany(1);
		const input = all[0] ?? [];
		expect((await execute(flow, input, { mode: 'manual' })).items).toHaveLength(1);
		expect(await countItems(flow, all)).toEqual([1]);
	});

	test.each(['retry', 'manual'] as const)(
		'does not prevent a %s execution by a user',
		async (mode) => {
			const { flow, all } = await receiveMany(1);
			expect(await countItems(flow, all)).toEqual([1]);
			expect(await countItems(flow, repeat(all))).toEqual([0]);
			expect((await execute(flow, all[0] ?? [], { mode })).items).toHaveLength(1);
		},
	);

	test('does not prevent an execution that a queue runs again after its worker was killed', async () => {
		const { flow, all } = await receiveMany(1);
		expect(await countItems(flow, all)).toEqual([1]);
		expect(await countItems(flow, all, loadInAnotherProcess())).toEqual([1]);
	});

	test('prevents a retry of an interrupted execution whose event was delivered again', async () => {
		const flow = await activateTrigger();
		const { body } = createSent();
		// n8n was killed after it stored the execution, before it ran and before its response.
		const cut = await receiveOnly(flow, { body });
		const type = loadInAnotherProcess();
		expect(await deliver(flow, { body }, { type })).toEqual(accepted);
		expect((await execute(flow, cut, { mode: 'retry' })).items).toHaveLength(0);
	});
});

test('two triggers in one workflow have their own secrets, and each accept the same event once', async () => {
	const one = await activateTrigger();
	const { secret } = getEndpoint();
	const two: Flow = { ...one, node: { id: 'second', name: 'Second', webhookId: 'hook2' } };
	await activate(two);
	one.staticData = two.staticData;
	expect(readStored(one).secret).toBe(secret);
	expect(readStored(two).secret).not.toBe(secret);

	const sent = createSent();
	const type = loadInAnotherProcess();
	for (const flow of [one, two]) {
		expect(await deliver(flow, sent)).toEqual(accepted);
		expect(await deliver(flow, sent)).toEqual(seen);
		// Also in another process.
		expect((await deliver(flow, sent, { type })).items).toEqual([]);
		expect(await deliver(flow, {}, { type })).toEqual(accepted);
	}
	expect(await deliver(two, { secret })).toEqual(rejected);
});
