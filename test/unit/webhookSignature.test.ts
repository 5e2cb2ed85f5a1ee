/** Signatures of deliveries: everything that a receiver must check. */
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import path from 'node:path';
import {
	isEventExpired,
	maxEventAgeSeconds,
	sign,
	timestampToleranceSeconds,
	verifyDelivery,
	type WebhookHeaders,
} from '../../nodes/core/webhookSignature';

const secret = 'whsec_5f0c';
const text = '{"event_id":"e1","event_type":"avatar_video.success","event_data":{}}';
const now = 1_760_000_000;

const hmac = (key: string, body: Buffer | string) =>
	createHmac('sha256', key).update(body).digest('hex');

const signature = hmac(secret, text);

/** The headers of the valid delivery with another prefix. */
const under = (prefix: string, sent = signature): WebhookHeaders => ({
	[`${prefix}-signature`]: sent,
	[`${prefix}-timestamp`]: String(now),
	[`${prefix}-event-id`]: 'e1',
});
const good = under('service');
const none: WebhookHeaders = Object.fromEntries(Object.keys(good).map((name) => [name, undefined]));
const forged = 'f'.repeat(64);
const crowd = (count: number): WebhookHeaders =>
	Object.assign({}, ...Array.from({ length: count }, (_, i) => under(`p${i}`, forged)));

type Changes = Partial<Parameters<typeof verifyDelivery>[0]>;

/** Verifies the valid delivery with these changes. */
const check = ({ headers, ...rest }: Changes = {}) =>
	verifyDelivery({ secret, body: text, now, headers: { ...good, ...headers }, ...rest });

/** A delivery with these headers alone. */
const only = (headers: WebhookHeaders): Changes => ({ headers: { ...none, ...headers } });

/** A body with its valid headers. */
const signed = (body: Buffer | string): Changes => ({
	body,
	headers: { 'service-signature': hmac(secret, body) },
});

/** A text with another first hex digit. */
const oneOff = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);

const bodies: Array<[string, Buffer | string]> = [
	['a text', text],
	['its bytes', Buffer.from(text)],
	['an empty body', ''],
	['characters beyond ASCII', '{"title":"Grüße, 世界 🎬"}'],
	['bytes that are not text', Buffer.from([0, 255, 254, 128, 13, 10])],
];

describe('sign', () => {
	test('is the hex HMAC-SHA256 of RFC 4231', () => {
		expect(sign('Jefe', 'what do ya want for nothing?')).toBe(
			'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		);
	});

	test.each(bodies)('signs %s as node:crypto does', (_, body) => {
		expect(sign(secret, body)).toBe(hmac(secret, body));
	});

	test.each<[string, () => unknown]>([
		['an empty secret', () => sign('', text)],
		['a parsed body', () => sign(secret, JSON.parse(text) as never)],
		['no body', () => sign(secret, undefined as never)],
		['an empty secret, verifying', () => check({ secret: '' })],
		['a parsed body, verifying', () => check({ body: JSON.parse(text) as never })],
	])('rejects %s with a TypeError', (_, act) => {
		// Some come from Node.js itself, whose classes differ from those of a test.
		expect(act).toThrow(expect.objectContaining({ name: 'TypeError' }));
	});
});

describe('verify accepts', () => {
	test.each<[string, Changes]>([
		['a signature in upper case', { headers: { 'service-signature': signature.toUpperCase() } }],
		['the oldest timestamp allowed', { now: now + timestampToleranceSeconds }],
		['the timestamp furthest ahead', { now: now - timestampToleranceSeconds }],
		['no event ID', { headers: { 'service-event-id': undefined } }],
		['the name of the algorithm', { headers: { 'service-signature': `sha256=${signature}` } }],
		['a time in milliseconds', { headers: { 'service-timestamp': String(now * 1000) } }],
		['a fraction of a second', { headers: { 'service-timestamp': `${now}.5` } }],
		['an ISO time', { headers: { 'service-timestamp': new Date(now * 1000).toISOString() } }],
		[
			'an ISO time with an offset',
			{ headers: { 'service-timestamp': '2025-10-09T10:53:20+02:00' } },
		],
		['a bare signature with a time', only({ signature, timestamp: String(now) })],
		['a prefix with dashes', only(under('x-acme-video'))],
		['the prefix of one letter', only(under('x'))],
		[
			'a second prefix with a foreign signature',
			only({ ...under('a-proxy', forged), ...under('acme'), ...under('z', forged) }),
		],
		[
			'a second prefix without the other two headers',
			{ headers: { 'x-hub-signature': forged, 'a-signature': signature } },
		],
		[
			'a recent prefix next to an old one',
			only({ ...under('a'), 'a-timestamp': String(now - 9999), ...under('b') }),
		],
		['the last of 300 prefixes', only({ ...crowd(300), ...under('z') })],
		[
			'a signature behind foreign ones of any size',
			only({ ...under('a', 'f'.repeat(1e6)), ...under('b', 'é'.repeat(64)), ...under('z') }),
		],
	])('%s', (_, changes) => {
		expect(check(changes)).toEqual({ ok: true });
	});

	test.each(bodies)('%s', (_, body) => expect(check(signed(body))).toEqual({ ok: true }));
});

test('a bare signature without a time is genuine, and its body decides how old it is', () => {
	expect(check(only({ signature }))).toEqual({ ok: true, isUntimed: true });
	expect(check(only({ signature: forged }))).toEqual({ ok: false, reason: 'forged' });
});

test('the tolerance is 5 minutes', () => expect(timestampToleranceSeconds).toBe(300));

describe('verify rejects', () => {
	const header = (name: string, value: WebhookHeaders[string]): Changes => ({
		headers: { [`service-${name}`]: value },
	});

	test.each<[string, Changes, string]>([
		['another secret', { secret: `${secret}x` }, 'forged'],
		['a body with one byte changed', { body: text.replace('e1', 'e2') }, 'forged'],
		['a body with a byte too many', { body: `${text}\n` }, 'forged'],
		['no body where there was one', { body: '' }, 'forged'],
		['bytes that only read the same', { ...signed('\uFFFD'), body: Buffer.from([255]) }, 'forged'],
		['a signature with one digit changed', header('signature', oneOff(signature)), 'forged'],
		['a shorter signature', header('signature', signature.slice(0, -1)), 'forged'],
		['a longer signature', header('signature', `${signature}0`), 'forged'],
		['two signatures in one', header('signature', `${signature}, ${signature}`), 'forged'],
		['a signature of wide characters', header('signature', 'é'.repeat(64)), 'forged'],
		['wide characters of the right bytes', header('signature', 'é'.repeat(32)), 'forged'],
		['no signature', header('signature', undefined), 'unsigned'],
		['an empty signature', header('signature', ''), 'unsigned'],
		['a list of signatures', header('signature', [signature, signature]), 'unsigned'],
		['no timestamp', header('timestamp', undefined), 'untimed'],
		['an empty timestamp', header('timestamp', ''), 'untimed'],
		['a list of timestamps', header('timestamp', [String(now)]), 'untimed'],
		['a timestamp that is a word', header('timestamp', 'now'), 'untimed'],
		['a negative timestamp', header('timestamp', `-${now}`), 'untimed'],
		['a timestamp with an exponent', header('timestamp', '176e7'), 'untimed'],
		['a hexadecimal timestamp', header('timestamp', `0x${now.toString(16)}`), 'untimed'],
		['a timestamp with a blank', header('timestamp', ` ${now}`), 'untimed'],
		['a word after digits', header('timestamp', `${now} seconds`), 'untimed'],
		['old milliseconds', header('timestamp', String((now - 301) * 1000)), 'outdated'],
		[
			'an old ISO time',
			header('timestamp', new Date((now - 301) * 1000).toISOString()),
			'outdated',
		],
		['another algorithm', header('signature', `sha1=${signature}`), 'forged'],
		['a timestamp too old', { now: now + timestampToleranceSeconds + 1 }, 'outdated'],
		['a timestamp just too old', { now: now + timestampToleranceSeconds + 0.001 }, 'outdated'],
		['a timestamp too far ahead', { now: now - timestampToleranceSeconds - 1 }, 'outdated'],
		['no header at all', only({}), 'unsigned'],
		// All three headers need the same prefix.
		[
			'a timestamp under another prefix',
			{ headers: { 'service-timestamp': undefined, 'acme-timestamp': String(now) } },
			'untimed',
		],
		[
			'a genuine signature without a timestamp next to a forged one that has it',
			{ headers: { 'service-timestamp': undefined, ...under('acme', forged) } },
			'untimed',
		],
		[
			'a genuine signature with an old timestamp next to a forged one with a new timestamp',
			only({ ...under('a'), 'a-timestamp': String(now - 9999), ...under('b', forged) }),
			'outdated',
		],
		['300 foreign signatures', only(crowd(300)), 'forged'],
		['headers with an empty prefix', only(under('')), 'unsigned'],
		// Node.js returns header names in lower case. Other names come from elsewhere.
		['header names in another case', only({ 'Service-Signature': signature }), 'unsigned'],
		// A sender that cannot sign learns nothing about the clock.
		['a forgery of old', { secret: 'other', now: now + 9999 }, 'forged'],
	])('%s', (_, changes, reason) => {
		expect(check(changes)).toEqual({ ok: false, reason });
	});
});

describe('an event', () => {
	const iso = (seconds: number, zone = 'Z') =>
		new Date(seconds * 1000).toISOString().replace('Z', zone);

	test('may be 25 hours old', () => expect(maxEventAgeSeconds).toBe(25 * 3600));

	test.each<[string, unknown]>([
		['of now', iso(now)],
		['of just 25 hours ago', iso(now - maxEventAgeSeconds)],
		['of 25 hours ago without a zone, which is UTC', iso(now - maxEventAgeSeconds, '')],
		['of 25 hours ago by a clock two hours ahead', iso(now - maxEventAgeSeconds + 7200, '+02:00')],
		['of 25 hours ahead', iso(now + maxEventAgeSeconds)],
		['in Unix seconds', now - maxEventAgeSeconds],
		['in milliseconds', (now - maxEventAgeSeconds) * 1000],
		['in seconds as text', String(now - maxEventAgeSeconds)],
		['without a time', undefined],
		['with a null', null],
		['with a word', 'yesterday'],
		['with an empty text', ''],
	])('%s is accepted', (_, createdAt) => expect(isEventExpired(createdAt, now)).toBe(false));

	test.each<[string, unknown]>([
		['of more than 25 hours ago', iso(now - maxEventAgeSeconds - 1)],
		['without a zone', iso(now - maxEventAgeSeconds - 1, '')],
		['with a space instead of the T', iso(now - maxEventAgeSeconds - 1, '').replace('T', ' ')],
		['by a clock two hours ahead', iso(now - maxEventAgeSeconds + 7199, '+02:00')],
		['of 1970', '1970-01-01'],
		['of the far future', iso(now + maxEventAgeSeconds + 1)],
		['in Unix seconds', now - maxEventAgeSeconds - 1],
		['in milliseconds', (now - maxEventAgeSeconds - 1) * 1000],
		['in milliseconds as text', String((now - maxEventAgeSeconds - 1) * 1000)],
	])('is expired: %s', (_, createdAt) => expect(isEventExpired(createdAt, now)).toBe(true));

	test('without a zone is read as UTC on a machine that is not in UTC', () => {
		const file = path.join(__dirname, '..', '..', 'nodes', 'core', 'webhookSignature.ts');
		// jest's own process.env does not change the time zone of Date.
		const ages = `const { isEventExpired, maxEventAgeSeconds } = require(${JSON.stringify(file)});
			for (process.env.TZ of ['America/Denver', 'Pacific/Auckland'])
				for (const more of [0, 1]) {
					const time = new Date((${now} - maxEventAgeSeconds - more) * 1000);
					const local = time.toISOString().replace('Z', '');
					console.log(time.getTimezoneOffset() === 0, isEventExpired(local, ${now}));
				}`;
		const output = execFileSync(
			process.execPath,
			['--no-warnings', '--import', 'tsx', '-e', ages],
			{ encoding: 'utf8' },
		);
		const each = 'false false\nfalse true\n';
		expect(output).toBe(each + each);
	});
});
