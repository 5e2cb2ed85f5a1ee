/** Signatures of deliveries: everything that a receiver must check. */
import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import path from 'node:path';
import {
	isEventExpired,
	maxEventAgeSeconds,
	sign,
	timestampToleranceSeconds,
	verifySignature,
	type WebhookHeaders,
} from '../../nodes/core/signature';

const secret = 'whsec_5f0c';
const text = '{"event_id":"e1","event_type":"avatar_video.success","event_data":{}}';
const now = 1_760_000_000;

const hmac = (key: string, body: Buffer | string) =>
	createHmac('sha256', key).update(body).digest('hex');
const sha256 = (body: Buffer | string) => createHash('sha256').update(body).digest('hex');

const good: WebhookHeaders = {
	'service-signature': hmac(secret, text),
	'service-timestamp': String(now),
	'service-event-id': 'e1',
};

/** The headers of the valid delivery with another prefix. */
const under = (prefix: string, signature = hmac(secret, text)): WebhookHeaders => ({
	[`${prefix}-signature`]: signature,
	[`${prefix}-timestamp`]: String(now),
	[`${prefix}-event-id`]: 'e1',
});
const none: WebhookHeaders = Object.fromEntries(Object.keys(good).map((name) => [name, undefined]));
const forged = 'f'.repeat(64);
const crowd = (count: number): WebhookHeaders =>
	Object.assign({}, ...Array.from({ length: count }, (_, i) => under(`p${i}`, forged)));

type Given = Partial<Parameters<typeof verifySignature>[0]>;

/** Verifies the valid delivery with these changes. */
const check = ({ headers, ...rest }: Given = {}) =>
	verifySignature({
		secret,
		body: text,
		now,
		headers: { ...good, ...headers },
		...rest,
	});

const accepted = { ok: true, eventId: 'e1', digest: sha256(text) };

/** A body with its valid headers. */
const signed = (body: Buffer | string): Given => ({
	body,
	headers: { 'service-signature': hmac(secret, body) },
});

/** A text with another first hex digit. */
const oneOff = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);

describe('sign', () => {
	test('is the hex HMAC-SHA256 of RFC 4231', () => {
		expect(sign('Jefe', 'what do ya want for nothing?')).toBe(
			'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		);
	});

	test.each<[string, Buffer | string]>([
		['a text', text],
		['its bytes', Buffer.from(text)],
		['an empty body', ''],
		['characters beyond ASCII', '{"title":"Grüße, 世界 🎬"}'],
		['bytes that are not text', Buffer.from([0, 255, 254, 128, 13, 10])],
	])('signs %s as node:crypto does', (_, body) => {
		expect(sign(secret, body)).toBe(hmac(secret, body));
	});

	test.each<[string, () => unknown]>([
		['an empty secret', () => sign('', text)],
		['a parsed body', () => sign(secret, JSON.parse(text) as never)],
		['no body', () => sign(secret, undefined as never)],
		['an empty secret, verifying', () => check({ secret: '' })],
		['a parsed body, verifying', () => check({ body: JSON.parse(text) as never })],
	])('refuses %s with a TypeError', (_, act) => {
		// Some come from Node.js itself, whose classes differ from those of a test.
		expect(act).toThrow(expect.objectContaining({ name: 'TypeError' }));
	});
});

describe('verify accepts', () => {
	test.each<[string, Given]>([
		['a delivery as it is sent', {}],
		['the body as bytes', { body: Buffer.from(text) }],
		[
			'a signature in upper case',
			{ headers: { 'service-signature': hmac(secret, text).toUpperCase() } },
		],
		['the oldest timestamp allowed', { now: now + timestampToleranceSeconds }],
		['the timestamp furthest ahead', { now: now - timestampToleranceSeconds }],
		['the prefix of a brand', { headers: { ...none, ...under('acme') } }],
		['a prefix with dashes', { headers: { ...none, ...under('x-acme-video') } }],
		['the prefix of one letter', { headers: { ...none, ...under('x') } }],
		[
			'a second prefix with a foreign signature',
			{
				headers: { ...none, ...under('a-proxy', forged), ...under('acme'), ...under('z', forged) },
			},
		],
		[
			'a second prefix without the other two headers',
			{ headers: { 'x-hub-signature': forged, 'a-signature': hmac(secret, text) } },
		],
		[
			'a recent prefix next to an old one',
			{ headers: { ...none, ...under('a'), 'a-timestamp': String(now - 9999), ...under('b') } },
		],
		['the last of ten prefixes', { headers: { ...none, ...crowd(9), ...under('z') } }],
	])('%s', (_, given) => {
		expect(check(given)).toEqual(accepted);
	});

	test.each<[string, Buffer | string]>([
		['an empty body', ''],
		['characters beyond ASCII', '{"title":"Grüße, 世界 🎬"}'],
		['bytes that are not text', Buffer.from([0, 255, 254, 128, 13, 10])],
	])('%s', (_, body) => {
		expect(check(signed(body))).toEqual({ ...accepted, digest: sha256(body) });
	});
});

test('the tolerance is 5 minutes', () => expect(timestampToleranceSeconds).toBe(300));

describe('verify refuses', () => {
	const signature = String(good['service-signature']);
	const header = (name: string, value: WebhookHeaders[string]): Given => ({
		headers: { [`service-${name}`]: value },
	});

	test.each<[string, Given, string]>([
		['another secret', { secret: `${secret}x` }, 'forged'],
		['a secret in another case', { secret: secret.toUpperCase() }, 'forged'],
		['a body with one byte changed', { body: text.replace('e1', 'e2') }, 'forged'],
		['a body with a byte too many', { body: `${text}\n` }, 'forged'],
		['a body with a byte too few', { body: text.slice(0, -1) }, 'forged'],
		['no body where there was one', { body: '' }, 'forged'],
		['the signature of an empty body', header('signature', hmac(secret, '')), 'forged'],
		['bytes that only read the same', { ...signed('\uFFFD'), body: Buffer.from([255]) }, 'forged'],
		['a signature with one digit changed', header('signature', oneOff(signature)), 'forged'],
		['a shorter signature', header('signature', signature.slice(0, -1)), 'forged'],
		['a longer signature', header('signature', `${signature}0`), 'forged'],
		['two signatures in one', header('signature', `${signature}, ${signature}`), 'forged'],
		['a signature that is no hex', header('signature', 'z'.repeat(64)), 'forged'],
		['a signature of wide characters', header('signature', 'é'.repeat(64)), 'forged'],
		['wide characters of the right bytes', header('signature', 'é'.repeat(32)), 'forged'],
		[
			'a signature in base64',
			header('signature', Buffer.from(signature, 'hex').toString('base64')),
			'forged',
		],
		['no signature', header('signature', undefined), 'unsigned'],
		['an empty signature', header('signature', ''), 'unsigned'],
		['a list of signatures', header('signature', [signature, signature]), 'unsigned'],
		['no timestamp', header('timestamp', undefined), 'untimed'],
		['an empty timestamp', header('timestamp', ''), 'untimed'],
		['a list of timestamps', header('timestamp', [String(now)]), 'untimed'],
		['a timestamp that is a word', header('timestamp', 'now'), 'untimed'],
		['a timestamp that is a date', header('timestamp', '2026-01-01T00:00:00Z'), 'untimed'],
		['a fraction', header('timestamp', `${now}.5`), 'untimed'],
		['a negative timestamp', header('timestamp', `-${now}`), 'untimed'],
		['a timestamp with an exponent', header('timestamp', '176e7'), 'untimed'],
		['a hexadecimal timestamp', header('timestamp', `0x${now.toString(16)}`), 'untimed'],
		['a timestamp with a blank', header('timestamp', ` ${now}`), 'untimed'],
		['milliseconds', header('timestamp', String(now * 1000)), 'untimed'],
		['no event id', header('event-id', undefined), 'unnamed'],
		['an empty event id', header('event-id', ''), 'unnamed'],
		['a list of event ids', header('event-id', ['e1', 'e2']), 'unnamed'],
		['a timestamp too old', { now: now + timestampToleranceSeconds + 1 }, 'outdated'],
		['a timestamp just too old', { now: now + timestampToleranceSeconds + 0.001 }, 'outdated'],
		['a timestamp too far ahead', { now: now - timestampToleranceSeconds - 1 }, 'outdated'],
		['a timestamp of 1970', header('timestamp', '0'), 'outdated'],
		['no header at all', { headers: none }, 'unsigned'],
		// All three headers need the same prefix.
		[
			'a timestamp under another prefix',
			{ headers: { 'service-timestamp': undefined, 'acme-timestamp': String(now) } },
			'untimed',
		],
		[
			'an event id under another prefix',
			{ headers: { 'service-event-id': undefined, 'acme-event-id': 'e1' } },
			'unnamed',
		],
		[
			'a genuine signature without a timestamp beside a forged one that has it',
			{
				headers: { 'service-timestamp': undefined, ...under('acme', forged) },
			},
			'forged',
		],
		['signatures of nobody', { headers: { ...none, ...crowd(3) } }, 'forged'],
		// The number of comparisons is limited.
		[
			'the eleventh of many prefixes',
			{ headers: { ...none, ...crowd(10), ...under('z') } },
			'forged',
		],
		[
			'a header that is all ending',
			{
				headers: {
					...none,
					'-signature': hmac(secret, text),
					'-timestamp': String(now),
					'-event-id': 'e1',
				},
			},
			'unsigned',
		],
		[
			'a signature without a prefix',
			{ headers: { ...none, signature: hmac(secret, text) } },
			'unsigned',
		],
		// Node.js returns header names in lower case. Other names come from elsewhere.
		[
			'header names in another case',
			{ headers: { 'service-signature': undefined, 'Service-Signature': signature } },
			'unsigned',
		],
		// A sender that cannot sign learns nothing about the clock.
		['a forgery of old', { secret: 'other', now: now + 9999 }, 'forged'],
	])('%s', (_, given, reason) => {
		expect(check(given)).toEqual({ ok: false, reason });
	});
});

describe('the digest', () => {
	const digestOf = (given: Given) => (check(given) as { digest?: string }).digest;

	test('depends on the body alone', () => {
		const same = [
			{},
			{ body: Buffer.from(text) },
			{ now: now + 9 },
			{ headers: { 'service-event-id': 'e2' } },
			{ headers: { 'service-timestamp': String(now - 9) } },
		].map(digestOf);
		expect(new Set(same)).toEqual(new Set([sha256(text)]));
	});

	test('differs with the body', () => {
		expect(digestOf(signed(`${text} `))).not.toBe(digestOf({}));
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
		['of the future', iso(now + 99_999)],
		['in Unix seconds', now - maxEventAgeSeconds],
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
		['in Unix seconds', now - maxEventAgeSeconds - 1],
	])('is expired: %s', (_, createdAt) => expect(isEventExpired(createdAt, now)).toBe(true));

	test('without a zone is read as UTC on a machine that is not in UTC', () => {
		const file = path.join(__dirname, '..', '..', 'nodes', 'core', 'signature.ts');
		const ages = `const { isEventExpired, maxEventAgeSeconds } = require(${JSON.stringify(file)});
			for (const more of [0, 1]) {
				const time = new Date((${now} - maxEventAgeSeconds - more) * 1000).toISOString();
				console.log(isEventExpired(time.replace('Z', ''), ${now}));
			}`;
		const [west, east] = ['America/Denver', 'Pacific/Auckland'].map((TZ) =>
			execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', '-e', ages], {
				env: { ...process.env, TZ },
				encoding: 'utf8',
			}),
		);
		expect([west, east]).toEqual(['false\ntrue\n', 'false\ntrue\n']);
	});
});
