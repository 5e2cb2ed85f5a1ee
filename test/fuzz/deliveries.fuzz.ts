/**
 * Deliveries of the service: signatures (specification, Events, Delivery rules) and events, through
 * the trigger on n8n's engine.
 */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { verifyDelivery } from '../../nodes/core/webhookSignature';
import { clock } from '../integration/support/core';
import { receive } from '../integration/support/contexts';
import { createDelivery, useTrigger } from '../integration/support/trigger';
import { property, WrongAcceptance } from './property';
import { buildText, texts, toPlainText, type Text } from './values';

const hmac = (secret: string, body: Buffer) =>
	createHmac('sha256', secret).update(body).digest('hex');

/** One prefix of the headers of a delivery. */
interface Signed {
	prefix: string;
	/** What the signature is made of. */
	signature:
		| 'genuine'
		| 'upper'
		| 'other body'
		| 'other secret'
		| 'short'
		| 'long'
		| 'empty'
		| 'text'
		| 'list';
	/** Seconds between the timestamp and now, or another text. */
	timestamp: number | 'missing' | 'text' | 'milliseconds' | 'fraction' | 'negative' | 'list';
	hasEventId: boolean;
}

const prefix = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/);

const signed: fc.Arbitrary<Signed> = fc.record({
	prefix,
	signature: fc.constantFrom<Array<Signed['signature']>>(
		...([
			'genuine',
			'upper',
			'other body',
			'other secret',
			'short',
			'long',
			'empty',
			'text',
			'list',
		] as const),
	),
	timestamp: fc.oneof(
		{ weight: 3, arbitrary: fc.integer({ min: -400, max: 400 }) },
		{ weight: 1, arbitrary: fc.integer({ min: -100_000_000, max: 100_000_000 }) },
		fc.constantFrom<Array<Signed['timestamp']>>(
			...(['missing', 'text', 'milliseconds', 'fraction', 'negative', 'list'] as const),
		),
	),
	hasEventId: fc.boolean(),
});

const now = 1_800_000_000;

function createHeaders(secret: string, body: Buffer, all: readonly Signed[]) {
	const genuine = hmac(secret, body);
	const signatures = {
		genuine,
		upper: genuine.toUpperCase(),
		'other body': hmac(secret, Buffer.concat([body, Buffer.from(' ')])),
		'other secret': hmac(`${secret}x`, body),
		short: genuine.slice(0, 63),
		long: `${genuine}0`,
		empty: '',
		text: `sha256=${genuine}`,
		list: [genuine, genuine],
	};
	const times = {
		missing: undefined,
		text: 'now',
		milliseconds: String(now * 1000),
		fraction: `${now}.5`,
		negative: `-${now}`,
		list: [String(now)],
	};
	return Object.fromEntries(
		all.flatMap(({ prefix: name, signature, timestamp, hasEventId }) => [
			[`${name}-signature`, signatures[signature]],
			[
				`${name}-timestamp`,
				typeof timestamp === 'number' ? String(now + timestamp) : times[timestamp],
			],
			[`${name}-event-id`, hasEventId ? 'event' : undefined],
		]),
	) as Record<string, string | string[] | undefined>;
}

property<{ secret: string; body: Uint8Array; all: Signed[] }>({
	name: 'Signatures, a delivery is accepted if one prefix has a genuine signature and a recent timestamp',
	inputs: 20_000,
	arbitrary: fc.record({
		secret: fc.string({ minLength: 1, maxLength: 40 }),
		body: fc.uint8Array({ maxLength: 60 }),
		all: fc.oneof(
			{
				weight: 4,
				arbitrary: fc.uniqueArray(signed, { maxLength: 4, selector: (one) => one.prefix }),
			},
			// Proxies may add headers of their own.
			{
				weight: 1,
				arbitrary: fc.uniqueArray(signed, {
					minLength: 15,
					maxLength: 40,
					selector: (one) => one.prefix,
				}),
			},
		),
	}),
	check: ({ secret, body, all }) => {
		const bytes = Buffer.from(body);
		const { ok } = verifyDelivery({
			secret,
			body: bytes,
			headers: createHeaders(secret, bytes, all),
			now,
		});
		// Within about 5 minutes; a header that Node.js received twice has no value. The event ID is in
		// the body, too.
		const isGenuine = all.some(
			({ signature, timestamp }) =>
				['genuine', 'upper', 'text'].includes(signature) &&
				(typeof timestamp === 'number'
					? Math.abs(timestamp) <= 300
					: ['milliseconds', 'fraction'].includes(timestamp)),
		);
		if (ok !== isGenuine) throw new WrongAcceptance(ok ? 'is accepted' : 'is rejected');
	},
});

const { activateTrigger } = useTrigger();

const second = 1;
const hour = 3600 * second;

/** How old an event is by its body, in seconds, and how the body says so. */
interface Age {
	seconds: number;
	as:
		| 'iso'
		| 'iso without zone'
		| 'seconds'
		| 'milliseconds'
		| 'seconds as text'
		| 'milliseconds as text';
}

const age: fc.Arbitrary<Age> = fc.record({
	seconds: fc.oneof(
		fc.integer({ min: 0, max: 24 * hour }),
		fc.integer({ min: 25 * hour + 60, max: 400 * 24 * hour }),
		fc.integer({ min: -400 * 24 * hour, max: -25 * hour - 60 }),
	),
	as: fc.constantFrom<Array<Age['as']>>(
		...([
			'iso',
			'iso without zone',
			'seconds',
			'milliseconds',
			'seconds as text',
			'milliseconds as text',
		] as const),
	),
});

function formatTime({ seconds, as }: Age): string | number {
	const time = Math.floor(clock.now() / 1000) - seconds;
	const iso = new Date(time * 1000).toISOString();
	const forms = {
		iso,
		'iso without zone': iso.replace(/\.000Z$/, ''),
		seconds: time,
		milliseconds: time * 1000,
		'seconds as text': String(time),
		'milliseconds as text': String(time * 1000),
	};
	return forms[as];
}

const isStarted = async (
	flow: Parameters<typeof receive>[0],
	sent: Parameters<typeof createDelivery>[1],
) => (await receive(flow, createDelivery(flow, sent))).started !== undefined;

let delivered = 0;

property<{ age: Age; data: unknown; sharesHeader: boolean }>({
	name: 'Events, a genuine event starts the workflow once, and an old one never',
	inputs: 3_000,
	arbitrary: fc.record({ age, data: fc.jsonValue({ maxDepth: 2 }), sharesHeader: fc.boolean() }),
	check: async ({ age: old, data, sharesHeader }) => {
		const flow = await activateTrigger();
		const create = () =>
			JSON.stringify({
				event_id: `event-${++delivered}`,
				event_type: 'avatar_video.success',
				event_data: { video_id: 'video_001', data },
				created_at: formatTime(old),
			});
		const isRecent = Math.abs(old.seconds) <= 24 * hour;
		const body = create();
		const eventId = `header-${delivered}`;
		if ((await isStarted(flow, { body, eventId })) !== isRecent) {
			throw new WrongAcceptance(isRecent ? 'a recent event is rejected' : 'an old event starts');
		}
		if (await isStarted(flow, { body })) throw new WrongAcceptance('a repeated body starts again');
		// The ID in the header is not signed.
		const other = await isStarted(flow, { body: create(), ...(sharesHeader ? { eventId } : {}) });
		if (other !== isRecent) throw new WrongAcceptance('another event is taken for a repeat');
	},
});

property<{ body: Text; type: unknown }>({
	name: 'Events, any signed body is answered without a crash',
	inputs: 4_000,
	arbitrary: fc.record({ body: texts, type: fc.jsonValue({ maxDepth: 3 }) }),
	control: ({ body, type }) => ({ body: toPlainText(body), type }),
	check: async ({ body, type }) => {
		const flow = await activateTrigger({ events: ['avatar_video.success'] });
		for (const text of [
			buildText(body),
			JSON.stringify(type),
			JSON.stringify({ event_type: type, event_id: type, created_at: type, event_data: type }),
		]) {
			const { status, started } = await receive(flow, createDelivery(flow, { body: text }));
			if (![200, 400, 401].includes(status)) throw new Error(`answered ${status}`);
			if (started && JSON.stringify(type) !== '"avatar_video.success"') {
				throw new WrongAcceptance('an event of another type starts');
			}
		}
	},
});

property<{ body: Text; arriving: Text }>({
	name: 'Events, no forged body starts the workflow',
	inputs: 3_000,
	arbitrary: fc.record({ body: texts, arriving: texts }),
	check: async ({ body, arriving }) => {
		const flow = await activateTrigger();
		const [text, other] = [buildText(body), JSON.stringify({ event_type: buildText(arriving) })];
		const received = await receive(flow, createDelivery(flow, { body: text, arrivingBody: other }));
		if (received.started || received.status !== 401)
			throw new WrongAcceptance(`answered ${received.status}`);
	},
});
