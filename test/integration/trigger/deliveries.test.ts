/** Which deliveries start an execution. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeType } from 'n8n-workflow';
import { clock } from '../support/core';
import { activate, execute, callHook, receive, type Flow } from '../support/contexts';
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
import { useVirtualTime, waitFor } from '../support/time';

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

/** Loads the trigger as another process does: with empty memory. */
async function loadInAnotherProcess() {
	let type: INodeType | undefined;
	await jest.isolateModulesAsync(async () => {
		useVirtualTime((await import('../support/core')).clock);
		const module = await import('../../../nodes/VideoGenTrigger/VideoGenTrigger.node');
		type = new module.VideoGenTrigger();
	});
	return type;
}

describe('a delivery of the service', () => {
	const speaking = {
		type: 'avatar',
		avatar_id: 'look_001_1',
		script: 'Good morning to everybody.',
	};

	test('starts one execution for a finished video', async () => {
		receiving = await activateTrigger({ events: selectedEvents });
		const created = await call('POST /v3/videos', {
			...speaking,
			title: 'Grüße',
			callback_id: 'row-7',
		});
		await call('GET /v3/users/me');
		await service.control.idle();
		expect(service.control.deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
		const [delivery] = service.control.deliveries();
		expect(received).toHaveLength(1);
		expect(received[0]).toMatchObject({ status: 200, message: 'Received.' });
		expect(received[0]?.items?.map(({ json }) => json)).toEqual([
			{
				event_id: delivery?.event_id,
				event_type: 'avatar_video.success',
				created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
				status: 'completed',
				video_id: created.video_id,
				video_url: expect.stringContaining('http'),
				gif_download_url: expect.stringContaining('http'),
				video_page_url: expect.stringContaining('http'),
				video_share_page_url: expect.stringContaining('http'),
				folder_id: null,
				callback_id: 'row-7',
			},
		]);
		expect(await receive(receiving, repeatDelivery())).toEqual({
			status: 200,
			message: 'Seen before.',
		});
	});

	/** The last delivery, as the service sends it again. */
	function repeatDelivery() {
		const { headers, body } = service.control.deliveries().at(-1) ?? { headers: {}, body: '' };
		const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
		return {
			headers: Object.fromEntries(lower) as Record<string, string>,
			rawBody: Buffer.from(body),
		};
	}

	test('that was refused is accepted when it is repeated after the secret was updated', async () => {
		receiving = await activateTrigger();
		// The trigger has the old secret, the service a new one.
		await call(`POST /v3/webhooks/endpoints/${getEndpoint().id}/rotate-secret`);
		await call('POST /v3/videos', speaking);
		await call('GET /v3/users/me');
		await service.control.idle();
		expect(received).toMatchObject([{ status: 401 }]);
		receiving.staticData = {};
		await activate(receiving);
		service.control.clock.advance(101);
		await service.control.idle();
		expect(received).toMatchObject([{ status: 401 }, { status: 200, items: [{}] }]);
	});
});

describe('a delivery is refused with', () => {
	const body = JSON.stringify(createEvent());
	const without = (name: string): DeliveryChanges => ({
		headers: { [`service-${name}`]: undefined },
	});

	test.each<[string, DeliveryChanges, string]>([
		['a changed body', { arrivingBody: `${body} `, body }, 'does not match'],
		['another secret', { secret: 'whsec_other' }, 'does not match'],
		['no signature', without('signature'), 'signature header is missing'],
		['no timestamp', without('timestamp'), 'timestamp header is missing'],
		['no event id', without('event-id'), 'event ID header is missing'],
		['an empty signature', { headers: { 'service-signature': '' } }, 'signature header is missing'],
		[
			'a timestamp of 301 seconds ago',
			{ timestampOffset: -301 },
			'differs from the current time by more than 5 minutes',
		],
		[
			'a timestamp 301 seconds ahead',
			{ timestampOffset: 301 },
			'differs from the current time by more than 5 minutes',
		],
	])('%s', async (_, sent, why) => {
		const flow = await activateTrigger();
		jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
		const response = await deliver(flow, sent);
		expect(response).toEqual({ status: 401, message: expect.stringContaining(why) });
		// Only the service sees the response, so the log informs the user.
		expect(warn.mock.calls.map(([line]) => line)).toEqual([
			expect.stringMatching(new RegExp(`\\(workflow .+\\) refused a delivery: .*${why}`)),
		]);
	});

	test('an event that is more than 25 hours old, however new its timestamp is', async () => {
		const flow = await activateTrigger();
		const now = jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const body = JSON.stringify(createEvent());
		now.mockReturnValue(1_800_000_000_000 + (25 * 3600 + 1) * 1000);
		expect(await deliver(flow, { body })).toEqual({
			status: 401,
			message: 'The delivery was refused. The event is more than 25 hours old.',
		});
		now.mockReturnValue(1_800_000_000_000 + 24 * 3600 * 1000);
		expect((await deliver(flow, { body })).items).toHaveLength(1);
	});

	// n8n starts a failed execution for every error that a webhook throws.
	test('a form with files, whose body n8n does not read', async () => {
		const flow = await activateTrigger();
		const { headers } = createDelivery(flow, {
			headers: { 'content-type': 'multipart/form-data; boundary=x' },
		});
		const response = await receive(flow, { headers });
		expect(response.status).toBe(401);
		expect(response.started).toBeUndefined();
	});

	test.each(['{"event_type":', 'null', '[]'])(
		'status 400 if it is signed but no JSON object: %p',
		async (text) => {
			const flow = await activateTrigger();
			const response = await deliver(flow, { body: text });
			expect(response).toEqual({ status: 400, message: expect.stringContaining('JSON') });
		},
	);
});

describe('without a secret', () => {
	test.each<[string, DeliveryChanges]>([
		['a signed delivery', { secret: 'whsec_other' }],
		['a delivery signed with "undefined" as the secret', { secret: 'undefined' }],
		['an unsigned delivery', { secret: 'x', headers: { 'service-signature': undefined } }],
	])('%s is refused with 401', async (_, sent) => {
		const flow: Flow = { service, parameters: {}, staticData: {} };
		const response = await deliver(flow, sent);
		expect(response).toEqual({ status: 401, message: expect.stringContaining('No endpoint') });
	});
});

describe('without its credential', () => {
	// The credential of the workflow was deleted.
	const createWithoutCredential = async () => {
		const flow = await activateTrigger();
		flow.credential = { baseUrl: undefined, apiKey: undefined };
		return flow;
	};

	test('the trigger still refuses unsigned deliveries', async () => {
		const response = await deliver(await createWithoutCredential(), {
			headers: { 'service-signature': undefined },
		});
		expect(response).toEqual({ status: 401, message: expect.any(String) });
	});

	test('the trigger still accepts signed deliveries', async () => {
		expect(await deliver(await createWithoutCredential())).toMatchObject({
			status: 200,
			items: [{}],
		});
	});
});

describe('a repeated delivery', () => {
	test.each<[string, (first: DeliveryChanges) => DeliveryChanges]>([
		['that is identical', (first) => first],
		[
			'with another event ID, timestamp and prefix, which are not signed',
			(first) => ({ ...first, eventId: 'other', timestampOffset: 60, prefix: 'Acme' }),
		],
	])('%s starts no second execution, and outputs no item in another process', async (_, again) => {
		const flow = await activateTrigger();
		const first = { body: JSON.stringify(createEvent()), eventId: randomUUID() };
		expect(await deliver(flow, first)).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, again(first))).toEqual({ status: 200, message: 'Seen before.' });

		// The new process knows the delivery from n8n's store.
		const type = await loadInAnotherProcess();
		const repeat = await deliver(flow, again(first), { type });
		expect(repeat).toMatchObject({ status: 200, items: [] });
		expect(repeat.error).toBeUndefined();
		expect((await deliver(flow, {}, { type })).items).toHaveLength(1);
	});

	test('with another body and the same event ID starts no second execution', async () => {
		const flow = await activateTrigger();
		const eventId = randomUUID();
		expect((await deliver(flow, { eventId })).items).toHaveLength(1);
		expect(await deliver(flow, { eventId })).toEqual({ status: 200, message: 'Seen before.' });
	});

	test('does not use up another event ID in its header', async () => {
		const flow = await activateTrigger();
		const first = { body: JSON.stringify(createEvent()), eventId: randomUUID() };
		const next = { eventId: randomUUID() };
		await deliver(flow, first);
		expect(await deliver(flow, { ...first, ...next })).toMatchObject({ message: 'Seen before.' });
		expect((await deliver(flow, next)).items).toHaveLength(1);
	});

	test('is deferred while n8n stores the execution of the first one', async () => {
		const flow = await activateTrigger();
		const delivery = createDelivery(flow);
		let stored = () => {};
		const storing = new Promise<void>((resolve) => (stored = resolve));
		const first = receive(flow, delivery, { store: () => storing });
		await new Promise((resolve) => setImmediate(resolve));
		const meanwhile = await receive(flow, delivery);
		expect(meanwhile).toEqual({ status: 503, message: expect.stringContaining('Send it again') });
		stored();
		expect(await first).toMatchObject({ status: 200, started: [{}] });
		expect(await receive(flow, delivery)).toEqual({ status: 200, message: 'Seen before.' });
	});

	test('is accepted if n8n could not store the execution of the first one', async () => {
		const flow = await activateTrigger();
		const delivery = createDelivery(flow);
		const store = async () => {
			throw new Error('database is locked');
		};
		expect(await receive(flow, delivery, { store })).toMatchObject({ status: 500 });
		expect(await receive(flow, delivery)).toMatchObject({ status: 200, started: [{}] });
		expect(await receive(flow, delivery)).toEqual({ status: 200, message: 'Seen before.' });
	});

	test('starts an execution without items if the connection broke before the first response', async () => {
		const flow = await activateTrigger();
		const sent = { body: JSON.stringify(createEvent()), eventId: randomUUID() };
		expect((await deliver(flow, sent, { hangUp: true })).items).toHaveLength(1);
		expect((await deliver(flow, sent)).items).toEqual([]);
	});

	test('is recognized after the trigger was deactivated and activated', async () => {
		const flow = await activateTrigger();
		const body = JSON.stringify(createEvent());
		expect((await deliver(flow, { body })).items).toHaveLength(1);
		await callHook(flow, 'delete');
		await activate(flow);
		expect(await deliver(flow, { body })).toEqual({ status: 200, message: 'Seen before.' });
	});

	test('is accepted if the first one was refused', async () => {
		const flow = await activateTrigger();
		const sent = { body: JSON.stringify(createEvent()), eventId: randomUUID() };
		expect(await deliver(flow, { ...sent, secret: 'whsec_other' })).toMatchObject({ status: 401 });
		expect((await deliver(flow, sent)).items).toHaveLength(1);
	});

	test('is recognized as long as the service may send it', async () => {
		const flow = await activateTrigger();
		const time = jest.spyOn(clock, 'now').mockReturnValue(1_900_000_000_000);
		// Without a time in the event, only the memory of the trigger recognizes it.
		const body = JSON.stringify(createEvent({ created_at: undefined }));
		expect(await deliver(flow, { body })).toMatchObject({ items: [{}] });
		time.mockReturnValue(1_900_000_000_000 + 24 * 3_600_000);
		expect(await deliver(flow, { body })).toEqual({ status: 200, message: 'Seen before.' });
	});
});

describe('the event store of n8n', () => {
	/** Receives a delivery, and returns the input of its execution. */
	const receiveOnly = async (flow: Flow, sent: DeliveryChanges = {}) =>
		(await receive(flow, createDelivery(flow, sent))).started ?? [];

	test('is complete after many executions at the same time, with two entries per event', async () => {
		const flow = await activateTrigger();
		const all = [];
		for (let i = 0; i < 30; i++) all.push(await receiveOnly(flow));
		const runs = await Promise.all(all.map(async (one) => await execute(flow, one)));
		expect(runs.map(({ items }) => items.length)).toEqual(Array(30).fill(1));
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([60]);
		// Executions wait together for one write, not for one another.
		expect(storeUses.length).toBeLessThan(5);
		const again = await Promise.all(all.map(async (one) => await execute(flow, one)));
		expect(again.map(({ items }) => items.length)).toEqual(Array(30).fill(0));
	});

	test('lets only one of several simultaneous executions output an event', async () => {
		const flow = await activateTrigger();
		const started = await receiveOnly(flow);
		const others = [await receiveOnly(flow), await receiveOnly(flow)];
		const all = [others[0], started, started, others[1], started];
		const runs = await Promise.all(all.map(async (one) => await execute(flow, one ?? [])));
		const outputIds = runs.flatMap(({ items }) => items.map(({ json }) => json.event_id));
		expect(outputIds).toHaveLength(3);
		expect(new Set(outputIds).size).toBe(3);
	});

	test('works again after an error, and no event is lost meanwhile', async () => {
		const flow = await activateTrigger();
		const some = [await receiveOnly(flow), await receiveOnly(flow), await receiveOnly(flow)];
		storeFaults.push(new Error('locked'), new Error('locked'));
		const first = await Promise.all(some.map(async (one) => await execute(flow, one)));
		expect(first.map(({ items }) => items.length)).toEqual([1, 1, 1]);
		const last = await receiveOnly(flow);
		expect((await execute(flow, last)).items).toHaveLength(1);
		expect((await execute(flow, last)).items).toHaveLength(0);
	});

	test('does not grow beyond 1,000 events', async () => {
		const flow = await activateTrigger();
		const first = await receiveOnly(flow);
		await execute(flow, first);
		const [place = '', entries = []] = [...recorded][0] ?? [];
		recorded.set(place, [...entries, ...Array.from({ length: 1998 }, (_, i) => `mark ${i}`)]);
		await execute(flow, await receiveOnly(flow));
		expect(recorded.get(place)).toHaveLength(2000);
		expect(recorded.get(place)).not.toContain(entries[0]);
	});

	test('can be created by two processes at the same time', async () => {
		const flow = await activateTrigger();
		const [one, two] = [await receiveOnly(flow), await receiveOnly(flow)];
		const type = await loadInAnotherProcess();
		const runs = await Promise.all([execute(flow, one), execute(flow, two, { type })]);
		expect(runs).toMatchObject([{ items: [{}] }, { items: [{}] }]);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([4]);
	});

	test('keeps entries that another process overwrites at the same time', async () => {
		const flow = await activateTrigger();
		const all: Array<Awaited<ReturnType<typeof receiveOnly>>> = [];
		for (let i = 0; i < 40; i++) all.push(await receiveOnly(flow));
		const types = [undefined, await loadInAnotherProcess()];
		// Each process runs half of the executions, five at a time.
		const ran = await Promise.all(
			types.map(async (type, half) => {
				const own = all.filter((_, i) => i % 2 === half);
				for (let i = 0; i < own.length; i += 5) {
					await Promise.all(
						own.slice(i, i + 5).map(async (one) => await execute(flow, one, { type })),
					);
				}
			}),
		);
		expect(ran).toHaveLength(2);
		const entries = () => new Set([...recorded.values()].flat()).size;
		// Entries that were overwritten last are written again after a second.
		await waitFor(() => entries() === 80);
		const type = await loadInAnotherProcess();
		const again = await Promise.all(all.map(async (one) => await execute(flow, one, { type })));
		expect(again.map(({ items }) => items.length)).toEqual(Array(40).fill(0));
	});

	test.each(['retry', 'manual'] as const)(
		'does not prevent a %s execution by a user',
		async (mode) => {
			const flow = await activateTrigger();
			const started = await receiveOnly(flow);
			expect((await execute(flow, started)).items).toHaveLength(1);
			expect((await execute(flow, started)).items).toHaveLength(0);
			expect((await execute(flow, started, { mode })).items).toHaveLength(1);
		},
	);

	test('prevents a retry of an interrupted execution whose event was delivered again', async () => {
		const flow = await activateTrigger();
		const body = JSON.stringify(createEvent());
		// n8n was killed after it stored the execution, before it ran and before its response.
		const cut = await receiveOnly(flow, { body });
		const type = await loadInAnotherProcess();
		expect((await deliver(flow, { body }, { type })).items).toHaveLength(1);
		expect((await execute(flow, cut, { mode: 'retry' })).items).toHaveLength(0);
	});
});

describe('two triggers in one workflow', () => {
	const second = { id: 'second', name: 'Second', webhookId: 'hook2' };

	test('have their own secrets, and each accept the same event once', async () => {
		const one = await activateTrigger();
		const { secret } = getEndpoint();
		const two: Flow = { ...one, node: second };
		await activate(two);
		one.staticData = two.staticData;
		expect(Object.keys(one.staticData).sort()).toEqual(['node:Node', 'node:Second']);
		expect(readStored(one).secret).toBe(secret);
		expect(readStored(two).secret).not.toBe(secret);

		const body = JSON.stringify(createEvent());
		const sent = { body, eventId: randomUUID() };
		for (const flow of [one, two]) {
			expect((await deliver(flow, sent)).items).toHaveLength(1);
			expect(await deliver(flow, sent)).toEqual({ status: 200, message: 'Seen before.' });
		}
		expect(await deliver(two, { secret })).toMatchObject({ status: 401 });

		// Also in another process.
		const type = await loadInAnotherProcess();
		for (const flow of [one, two]) {
			expect((await deliver(flow, sent, { type })).items).toEqual([]);
			expect((await deliver(flow, {}, { type })).items).toHaveLength(1);
		}
	});
});

describe('an event that is not selected', () => {
	test('has status 200 and starts no execution, but must be signed', async () => {
		const flow = await activateTrigger({ events: ['avatar_video.fail'] });
		expect(await deliver(flow)).toEqual({ status: 200, message: expect.any(String) });
		const fail = JSON.stringify(createEvent({ event_type: 'avatar_video.fail' }));
		expect((await deliver(flow, { body: fail })).items).toHaveLength(1);
		expect(await deliver(flow, { secret: 'whsec_other' })).toMatchObject({ status: 401 });
	});
});
