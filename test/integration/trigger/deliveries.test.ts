/** Which deliveries start a run, and which do not. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INodeType } from 'n8n-workflow';
import { clock } from '../support/core';
import { activate, hook, take, type Flow, type Taken } from '../support/contexts';
import {
	deliver,
	deliveryOf,
	eventOf,
	kept,
	origin,
	url,
	useTrigger,
	wanted,
	type Sent,
} from '../support/trigger';
import { runOn } from '../support/time';

/** Where the service's own deliveries go: to this flow. */
let receiving: Flow | undefined;
let received: Taken[] = [];

const receiver = createServer((incoming, outgoing) => {
	const pieces: Buffer[] = [];
	incoming.on('data', (piece: Buffer) => pieces.push(piece));
	incoming.on('end', async () => {
		const { headers } = incoming;
		if (!receiving) return outgoing.writeHead(404).end();
		const taken = await take(receiving, { headers, rawBody: Buffer.concat(pieces) });
		received.push(taken);
		outgoing.writeHead(taken.status ?? 500).end(taken.said);
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
		expect(received).toEqual([
			{
				status: 200,
				said: 'Received.',
				items: [
					{
						json: {
							event_id: delivery?.event_id,
							event_type: 'avatar_video.success',
							created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
							video_id: made.video_id,
							url: expect.stringContaining('http'),
							gif_download_url: expect.stringContaining('http'),
							video_page_url: expect.stringContaining('http'),
							video_share_page_url: expect.stringContaining('http'),
							folder_id: null,
							callback_id: 'row-7',
						},
					},
				],
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
			{ prefix: 'Acme' },
			{ secret: 'whsec_other' },
			{},
		]) {
			const { status } = await service.control.deliver({ url, secret, event, ...change });
			statuses.push(status);
		}
		expect(statuses).toEqual([401, 401, 401, 401, 401, 200]);
		expect(received.filter(({ items }) => items)).toHaveLength(1);
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
		['a timestamp of 301 seconds ago', { late: -301 }, 'more than 5 minutes away'],
		['a timestamp 301 seconds ahead', { late: 301 }, 'more than 5 minutes away'],
		['the headers of another prefix', { prefix: 'Acme' }, 'signature header is missing'],
	])('%s', async (_, sent, why) => {
		const flow = await active();
		const before = structuredClone(flow.staticData);
		jest.spyOn(clock, 'now').mockReturnValue(1_800_000_000_000);
		const taken = await deliver(flow, sent);
		expect(taken).toEqual({ status: 401, said: expect.stringContaining(why) });
		// It is not remembered either: the true one may still come.
		expect(flow.staticData).toEqual(before);
	});

	// n8n starts a failed run for everything that a webhook throws.
	test('a form with files, whose bytes n8n leaves unread', async () => {
		const flow = await active();
		const { headers } = deliveryOf(flow, {
			headers: { 'content-type': 'multipart/form-data; boundary=x' },
		});
		const taken = await take(flow, { headers });
		expect(taken.status).toBe(401);
		expect(taken.items).toBeUndefined();
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

describe('a delivery that comes again', () => {
	test.each<[string, (first: Sent) => Sent]>([
		['as it was', (first) => first],
		['under another event id, which is not signed', (first) => ({ ...first, eventId: 'other' })],
		['with a newer timestamp, which is not signed', (first) => ({ ...first, late: 60 })],
		['with other bytes under its event id', ({ eventId }) => ({ eventId })],
	])('%s starts no second run, in this process or another', async (_, again) => {
		const flow = await active();
		const first = { body: JSON.stringify(eventOf()), eventId: randomUUID() };
		expect(await deliver(flow, first)).toMatchObject({ status: 200, items: [{}] });
		expect(await deliver(flow, again(first))).toEqual({ status: 200, said: 'Seen before.' });

		// The memory of the process is gone: the static data remembers.
		const type = await anotherProcess();
		const delivery = deliveryOf(flow, again(first));
		expect(await take(flow, delivery, { type })).toEqual({ status: 200, said: 'Seen before.' });
		expect(await take(flow, deliveryOf(flow), { type })).toMatchObject({ items: [{}] });
	});

	test('at the same time starts no second run: n8n stores static data only later', async () => {
		const flow = await active();
		const delivery = deliveryOf(flow);
		const [one, two, three] = await Promise.all(
			[1, 2, 3].map(async () => await take({ ...flow }, delivery)),
		);
		expect([one, two, three].filter((taken) => taken?.items)).toHaveLength(1);
		expect([one, two, three].map((taken) => taken?.status)).toEqual([200, 200, 200]);
		// Nor with static data from before it came.
		expect((await take({ ...flow }, delivery)).items).toBeUndefined();
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

	test('is known as long as the service may send it, in a memory that does not grow', async () => {
		const flow = await active({}, { origin: 'https://busy.example' });
		const time = jest.spyOn(clock, 'now').mockReturnValue(1_900_000_000_000);
		const later = (hours: number) => time.mockReturnValue(1_900_000_000_000 + hours * 3_600_000);
		await deliver(flow);
		const memory = kept(flow) as { seen: Array<[string, number]> };
		for (let i = memory.seen.length; i < 2000; i++) memory.seen.push([`mark ${i}`, 1_900_000_000]);

		later(1);
		const newest = { body: JSON.stringify(eventOf()) };
		await deliver(flow, newest);
		expect(kept(flow).seen).toHaveLength(2000);
		expect(JSON.stringify(flow.staticData).length).toBeLessThan(80_000);
		later(24);
		expect((await deliver(flow, newest)).items).toBeUndefined();
		later(26);
		expect((await deliver(flow)).items).toHaveLength(1);
		expect((kept(flow).seen as unknown[]).length).toBeLessThan(10);
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
