/** Which deliveries start a run, and which do not. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeType } from 'n8n-workflow';
import { clock } from '../support/core';
import { activate, execute, hook, take, type Flow } from '../support/contexts';
import {
	deliver,
	deliveryOf,
	eventOf,
	kept,
	origin,
	recorded,
	storeFaults,
	storeUses,
	url,
	useTrigger,
	wanted,
	type Delivered,
	type Sent,
} from '../support/trigger';
import { runOn, until } from '../support/time';

/** Where the service's own deliveries go: to this flow. */
let receiving: Flow | undefined;
let received: Delivered[] = [];

const receiver = createServer((incoming, outgoing) => {
	const pieces: Buffer[] = [];
	incoming.on('data', (piece: Buffer) => pieces.push(piece));
	incoming.on('end', async () => {
		const { headers } = incoming;
		if (!receiving) return outgoing.writeHead(404).end();
		const taken = await take(receiving, { headers, rawBody: Buffer.concat(pieces) });
		const ran = taken.started ? await execute(receiving, taken.started) : {};
		received.push({ ...taken, ...ran });
		outgoing.writeHead(taken.status).end(taken.said);
	});
});

const tunnels: Record<string, string> = {};
beforeAll(async () => {
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	tunnels[origin] = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
const { service, active, only, call } = useTrigger({ tunnels });
afterAll(async () => {
	receiver.closeAllConnections();
	await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
	receiving = undefined;
	received = [];
});
afterEach(() => jest.restoreAllMocks());

/** A trigger of another process: nothing is in its memory yet. */
async function anotherProcess() {
	let type: INodeType | undefined;
	await jest.isolateModulesAsync(async () => {
		runOn((await import('../support/core')).clock);
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

	test('starts a run for a video that is done, and only once', async () => {
		receiving = await active({ events: wanted });
		const made = await call('POST /v3/videos', {
			...speaking,
			title: 'Grüße',
			callback_id: 'row-7',
		});
		await call('GET /v3/users/me');
		await service.control.idle();
		expect(service.control.deliveries()).toMatchObject([{ status: 200, attempt: 1 }]);
		const [delivery] = service.control.deliveries();
		expect(received).toHaveLength(1);
		expect(received[0]).toMatchObject({ status: 200, said: 'Received.' });
		expect(received[0]?.items?.map(({ json }) => json)).toEqual([
			{
				event_id: delivery?.event_id,
				event_type: 'avatar_video.success',
				created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
				status: 'completed',
				video_id: made.video_id,
				url: expect.stringContaining('http'),
				video_url: expect.stringContaining('http'),
				gif_download_url: expect.stringContaining('http'),
				video_page_url: expect.stringContaining('http'),
				video_share_page_url: expect.stringContaining('http'),
				folder_id: null,
				callback_id: 'row-7',
			},
		]);
		expect(await take(receiving, resent())).toEqual({ status: 200, said: 'Seen before.' });
	});

	/** The last delivery, as the service would send it again. */
	function resent() {
		const { headers, body } = service.control.deliveries().at(-1) ?? { headers: {}, body: '' };
		const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
		return {
			headers: Object.fromEntries(lower) as Record<string, string>,
			rawBody: Buffer.from(body),
		};
	}

	test('is refused by what it is, and taken when it comes right', async () => {
		receiving = await active();
		const { secret } = only();
		const event = eventOf();
		const statuses = [];
		for (const change of [
			{ tamper: true },
			{ omit: ['signature' as const] },
			{ timestampOffset: -310 },
			{ secret: 'whsec_other' },
			{ prefix: 'Acme' },
		]) {
			const { status } = await service.control.deliver({ url, secret, event, ...change });
			statuses.push(status);
		}
		expect(statuses).toEqual([401, 401, 401, 401, 200]);
		expect(received.filter(({ started }) => started)).toHaveLength(1);
	});

	test('that was refused comes again, and is taken once the secret is right', async () => {
		receiving = await active();
		// The old secret is kept while the service has a new one.
		await call(`POST /v3/webhooks/endpoints/${only().id}/rotate-secret`);
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
	const body = JSON.stringify(eventOf());
	const without = (name: string): Sent => ({ headers: { [`service-${name}`]: undefined } });

	test.each<[string, Sent, string]>([
		['a body that was tampered with', { arrives: `${body} `, body }, 'does not match'],
		['another secret', { secret: 'whsec_other' }, 'does not match'],
		['no signature', without('signature'), 'signature header is missing'],
		['no timestamp', without('timestamp'), 'timestamp header is missing'],
		['no event id', without('event-id'), 'event ID header is missing'],
		['an empty signature', { headers: { 'service-signature': '' } }, 'signature header is missing'],
		[
			'a timestamp of 301 seconds ago',
			{ late: -301 },
			'differs from the current time by more than 5 minutes',
		],
		[
			'a timestamp 301 seconds ahead',
			{ late: 301 },
			'differs from the current time by more than 5 minutes',
		],
	])('%s', async (_, sent, why) => {
		const flow = await active();
		jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
		const taken = await deliver(flow, sent);
		expect(taken).toEqual({ status: 401, said: expect.stringContaining(why) });
		// The service alone sees the response: the log tells the user.
		expect(warn.mock.calls.map(([line]) => line)).toEqual([
			expect.stringMatching(new RegExp(`\\(workflow .+\\) refused a delivery: .*${why}`)),
		]);
	});

	test('an event of more than 25 hours ago, however new its timestamp is', async () => {
		const flow = await active();
		const now = jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const body = JSON.stringify(eventOf());
		now.mockReturnValue(1_800_000_000_000 + (25 * 3600 + 1) * 1000);
		expect(await deliver(flow, { body })).toEqual({
			status: 401,
			said: 'The delivery was refused. The event is more than 25 hours old.',
		});
		now.mockReturnValue(1_800_000_000_000 + 24 * 3600 * 1000);
		expect((await deliver(flow, { body })).items).toHaveLength(1);
	});

	// n8n starts a failed run for everything that a webhook throws.
	test('a form with files, whose bytes n8n leaves unread', async () => {
		const flow = await active();
		const { headers } = deliveryOf(flow, {
			headers: { 'content-type': 'multipart/form-data; boundary=x' },
		});
		const taken = await take(flow, { headers });
		expect(taken.status).toBe(401);
		expect(taken.started).toBeUndefined();
	});

	test.each(['{"event_type":', '', 'null', '7', '"text"', '[]'])(
		'status 400 where it is signed but no JSON object: %p',
		async (text) => {
			const flow = await active();
			const taken = await deliver(flow, { body: text });
			expect(taken).toEqual({ status: 400, said: expect.stringContaining('JSON') });
		},
	);
});

describe('without a secret', () => {
	test.each<[string, Sent]>([
		['a signed delivery', { secret: 'whsec_other' }],
		['one signed with nothing in place of the secret', { secret: 'undefined' }],
		['an unsigned post', { secret: 'x', headers: { 'service-signature': undefined } }],
	])('%s is refused with 401', async (_, sent) => {
		const flow: Flow = { service, parameters: {}, staticData: {} };
		const taken = await deliver(flow, sent);
		expect(taken).toEqual({ status: 401, said: expect.stringContaining('No endpoint') });
	});
});

describe('without its credential', () => {
	// As n8n has it when somebody deleted the credential.
	const gone = async () => {
		const flow = await active();
		flow.credential = { baseUrl: undefined, apiKey: undefined };
		return flow;
	};

	test('the trigger refuses unsigned posts all the same', async () => {
		const taken = await deliver(await gone(), { headers: { 'service-signature': undefined } });
		expect(taken).toEqual({ status: 401, said: expect.any(String) });
	});

	test('the trigger takes genuine deliveries all the same', async () => {
		expect(await deliver(await gone())).toMatchObject({ status: 200, items: [{}] });
	});
});

describe('a delivery that comes again', () => {
	test.each<[string, (first: Sent) => Sent]>([
		['as it was', (first) => first],
		['under another event id, which is not signed', (first) => ({ ...first, eventId: 'other' })],
		['with a newer timestamp, which is not signed', (first) => ({ ...first, late: 60 })],
		['under another prefix, which is not signed', (first) => ({ ...first, prefix: 'Acme' })],
	])('%s starts no second run, and puts nothing out in another process', async (_, again) => {
		const flow = await active();
		const first = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		expect(await deliver(flow, first)).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, again(first))).toEqual({ status: 200, said: 'Seen before.' });

		// The memory of the process is gone: n8n's own store remembers.
		const type = await anotherProcess();
		const repeat = await deliver(flow, again(first), { type });
		expect(repeat).toMatchObject({ status: 200, items: [] });
		expect(repeat.error).toBeUndefined();
		expect((await deliver(flow, {}, { type })).items).toHaveLength(1);
	});

	test('with other bytes under its event id starts no second run', async () => {
		const flow = await active();
		const eventId = randomUUID();
		expect((await deliver(flow, { eventId })).items).toHaveLength(1);
		expect(await deliver(flow, { eventId })).toEqual({ status: 200, said: 'Seen before.' });
	});

	test('as a copy does not spoil the event ID that it claims to have', async () => {
		const flow = await active();
		const first = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		const next = { eventId: randomUUID() };
		await deliver(flow, first);
		expect(await deliver(flow, { ...first, ...next })).toMatchObject({ said: 'Seen before.' });
		expect((await deliver(flow, next)).items).toHaveLength(1);
	});

	test('while n8n stores the run of the first is asked to come later', async () => {
		const flow = await active();
		const delivery = deliveryOf(flow);
		let stored = () => {};
		const storing = new Promise<void>((resolve) => (stored = resolve));
		const first = take(flow, delivery, { store: () => storing });
		await new Promise((resolve) => setImmediate(resolve));
		const meanwhile = await take(flow, delivery);
		expect(meanwhile).toEqual({ status: 503, said: expect.stringContaining('Send it again') });
		stored();
		expect(await first).toMatchObject({ status: 200, started: [{}] });
		expect(await take(flow, delivery)).toEqual({ status: 200, said: 'Seen before.' });
	});

	test('after n8n could not store the run of the first is taken', async () => {
		const flow = await active();
		const delivery = deliveryOf(flow);
		const store = async () => {
			throw new Error('database is locked');
		};
		expect(await take(flow, delivery, { store })).toMatchObject({ status: 500 });
		expect(await take(flow, delivery)).toMatchObject({ status: 200, started: [{}] });
		expect(await take(flow, delivery)).toEqual({ status: 200, said: 'Seen before.' });
	});

	test('after the connection broke before the answer runs again, and puts nothing out', async () => {
		const flow = await active();
		const sent = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		expect((await deliver(flow, sent, { hangUp: true })).items).toHaveLength(1);
		expect((await deliver(flow, sent)).items).toEqual([]);
	});

	test('after the trigger was switched off and on is known still', async () => {
		const flow = await active();
		const body = JSON.stringify(eventOf());
		expect((await deliver(flow, { body })).items).toHaveLength(1);
		await hook(flow, 'delete');
		await activate(flow);
		expect(await deliver(flow, { body })).toEqual({ status: 200, said: 'Seen before.' });
	});

	test('a refused delivery is not held against the true one', async () => {
		const flow = await active();
		const sent = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		expect(await deliver(flow, { ...sent, secret: 'whsec_other' })).toMatchObject({ status: 401 });
		expect((await deliver(flow, sent)).items).toHaveLength(1);
	});

	test('is known as long as the service may send it', async () => {
		const flow = await active();
		const time = jest.spyOn(clock, 'now').mockReturnValue(1_900_000_000_000);
		// Without a time of its own, only the memory can tell.
		const body = JSON.stringify(eventOf({ created_at: undefined }));
		expect(await deliver(flow, { body })).toMatchObject({ items: [{}] });
		time.mockReturnValue(1_900_000_000_000 + 24 * 3_600_000);
		expect(await deliver(flow, { body })).toEqual({ status: 200, said: 'Seen before.' });
	});
});

describe('what n8n has recorded', () => {
	/** What a delivery starts, without running it. */
	const startedBy = async (flow: Flow, sent: Sent = {}) =>
		(await take(flow, deliveryOf(flow, sent))).started ?? [];

	test('is complete after many runs at the same time, and has two entries for each event', async () => {
		const flow = await active();
		const all = [];
		for (let i = 0; i < 30; i++) all.push(await startedBy(flow));
		const runs = await Promise.all(all.map(async (one) => await execute(flow, one)));
		expect(runs.map(({ items }) => items.length)).toEqual(Array(30).fill(1));
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([60]);
		// Each run is in memory until its event is recorded: they wait together, not for one another.
		expect(storeUses.length).toBeLessThan(5);
		const again = await Promise.all(all.map(async (one) => await execute(flow, one)));
		expect(again.map(({ items }) => items.length)).toEqual(Array(30).fill(0));
	});

	test('lets one of two runs of an event at the same time put it out', async () => {
		const flow = await active();
		const started = await startedBy(flow);
		const others = [await startedBy(flow), await startedBy(flow)];
		const all = [others[0], started, started, others[1], started];
		const runs = await Promise.all(all.map(async (one) => await execute(flow, one ?? [])));
		const put = runs.flatMap(({ items }) => items.map(({ json }) => json.event_id));
		expect(put).toHaveLength(3);
		expect(new Set(put).size).toBe(3);
	});

	test('is as good after a failure that ran into it', async () => {
		const flow = await active();
		const some = [await startedBy(flow), await startedBy(flow), await startedBy(flow)];
		storeFaults.push(new Error('locked'), new Error('locked'));
		const first = await Promise.all(some.map(async (one) => await execute(flow, one)));
		expect(first.map(({ items }) => items.length)).toEqual([1, 1, 1]);
		const last = await startedBy(flow);
		expect((await execute(flow, last)).items).toHaveLength(1);
		expect((await execute(flow, last)).items).toHaveLength(0);
	});

	test('does not grow beyond 1,000 events', async () => {
		const flow = await active();
		const first = await startedBy(flow);
		await execute(flow, first);
		const [place = '', entries = []] = [...recorded][0] ?? [];
		recorded.set(place, [...entries, ...Array.from({ length: 1998 }, (_, i) => `mark ${i}`)]);
		await execute(flow, await startedBy(flow));
		expect(recorded.get(place)).toHaveLength(2000);
		expect(recorded.get(place)).not.toContain(entries[0]);
	});

	test('is begun by two processes at once without harm', async () => {
		const flow = await active();
		const [one, two] = [await startedBy(flow), await startedBy(flow)];
		const type = await anotherProcess();
		const runs = await Promise.all([execute(flow, one), execute(flow, two, { type })]);
		expect(runs).toMatchObject([{ items: [{}] }, { items: [{}] }]);
		expect([...recorded.values()].map((entries) => entries.length)).toEqual([4]);
	});

	test('is not undone by another process that writes at the same time', async () => {
		const flow = await active();
		const all: Array<Awaited<ReturnType<typeof startedBy>>> = [];
		for (let i = 0; i < 40; i++) all.push(await startedBy(flow));
		const types = [undefined, await anotherProcess()];
		// Each runs its half, some at a time.
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
		// What was undone last, a second later.
		await until(() => entries() === 80);
		const type = await anotherProcess();
		const again = await Promise.all(all.map(async (one) => await execute(flow, one, { type })));
		expect(again.map(({ items }) => items.length)).toEqual(Array(40).fill(0));
	});

	test('cannot be read: then the event is put out rather than lost', async () => {
		const flow = await active();
		storeFaults.push(new Error('locked'), new Error('locked'));
		const { items, error } = await execute(flow, await startedBy(flow));
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	test.each(['retry', 'manual'] as const)('does not keep a person from a %s run', async (mode) => {
		const flow = await active();
		const started = await startedBy(flow);
		expect((await execute(flow, started)).items).toHaveLength(1);
		expect((await execute(flow, started)).items).toHaveLength(0);
		expect((await execute(flow, started, { mode })).items).toHaveLength(1);
	});

	test('keeps a retry of what was cut from running an event that has come again meanwhile', async () => {
		const flow = await active();
		const body = JSON.stringify(eventOf());
		// Stored, and cut by a kill before it ran; the answer was lost too.
		const cut = await startedBy(flow, { body });
		const type = await anotherProcess();
		expect((await deliver(flow, { body }, { type })).items).toHaveLength(1);
		expect((await execute(flow, cut, { mode: 'retry' })).items).toHaveLength(0);
	});
});

describe('two triggers in one workflow', () => {
	const second = { id: 'second', name: 'Second', webhookId: 'hook2' };

	test('have their own secrets, and take the same event once each', async () => {
		const one = await active();
		const { secret } = only();
		const two: Flow = { ...one, node: second };
		await activate(two);
		one.staticData = two.staticData;
		expect(Object.keys(one.staticData).sort()).toEqual(['node:Node', 'node:Second']);
		expect(kept(one).secret).toBe(secret);
		expect(kept(two).secret).not.toBe(secret);

		const body = JSON.stringify(eventOf());
		const sent = { body, eventId: randomUUID() };
		for (const flow of [one, two]) {
			expect((await deliver(flow, sent)).items).toHaveLength(1);
			expect(await deliver(flow, sent)).toEqual({ status: 200, said: 'Seen before.' });
		}
		expect(await deliver(two, { secret })).toMatchObject({ status: 401 });

		// And in another process.
		const type = await anotherProcess();
		for (const flow of [one, two]) {
			expect((await deliver(flow, sent, { type })).items).toEqual([]);
			expect((await deliver(flow, {}, { type })).items).toHaveLength(1);
		}
	});
});

describe('an event that is not wanted', () => {
	test('is answered with 200 and starts nothing', async () => {
		const flow = await active({ events: ['avatar_video.fail'] });
		expect(await deliver(flow)).toEqual({ status: 200, said: expect.any(String) });
		const fail = JSON.stringify(eventOf({ event_type: 'avatar_video.fail' }));
		expect((await deliver(flow, { body: fail })).items).toHaveLength(1);
	});

	test('is still signed, or refused', async () => {
		const flow = await active({ events: ['avatar_video.fail'] });
		expect(await deliver(flow, { secret: 'whsec_other' })).toMatchObject({ status: 401 });
	});
});
