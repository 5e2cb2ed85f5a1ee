/**
 * Signs and verifies webhook deliveries (docs/service.md, Events and deliveries). Pure functions.
 *
 * The signature is the hex HMAC-SHA256 of the raw body. Timestamp and event ID are not part of it, so
 * a receiver must also recognize a body that it has seen before.
 */
import { createHash, createHmac, timingSafeEqual } from 'crypto';

/** Seconds by which the timestamp of a delivery may differ from the current time. */
export const timestampTolerance = 300;

/** Age in seconds after which an event is refused: the service repeats a delivery for 24 hours. */
export const maxEventAge = 25 * 3600;

/** Request headers, with names in lower case. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Result of a verification. The digest identifies the signed body; the event ID is not signed. */
export type VerificationResult =
	| { ok: true; eventId: string; digest: string }
	| { ok: false; reason: 'unsigned' | 'untimed' | 'unnamed' | 'outdated' | 'forged' };

/**
 * The signature of a raw body: its hex HMAC-SHA256 with the secret of the endpoint. A body that was
 * parsed and serialized again would have other bytes.
 */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(body).digest('hex');
}

/** Proxies may add signatures of their own. More than this many are not compared. */
const maxPrefixes = 10;

const signatureSuffix = '-signature';

interface SignatureHeaders {
	signature: string;
	timestamp: string;
	eventId: string;
}

/** The signature headers of each prefix. A header that is missing or repeated is empty. */
function findSignatureHeaders(headers: WebhookHeaders): SignatureHeaders[] {
	const readHeader = (name: string) => {
		const value = headers[name];
		return typeof value === 'string' ? value : '';
	};
	return Object.keys(headers)
		.filter((name) => name.endsWith(signatureSuffix) && name !== signatureSuffix)
		.map((name) => name.slice(0, -signatureSuffix.length))
		.map((prefix) => ({
			signature: readHeader(`${prefix}${signatureSuffix}`),
			timestamp: readHeader(`${prefix}-timestamp`),
			eventId: readHeader(`${prefix}-event-id`),
		}));
}

/**
 * Verifies that a delivery is genuine and recent. Its headers are `<prefix>-signature`,
 * `<prefix>-timestamp` and `<prefix>-event-id`. The prefix is the brand of the service. Any prefix is
 * accepted, because the signature alone protects.
 *
 * @param now Unix time in seconds
 */
export function verifySignature(delivery: {
	secret: string;
	body: Buffer | string;
	headers: WebhookHeaders;
	now: number;
}): VerificationResult {
	const { secret, body, headers, now } = delivery;
	const expected = Buffer.from(sign(secret, body), 'utf8');
	const isGenuine = ({ signature }: SignatureHeaders) => {
		const actual = Buffer.from(signature.toLowerCase(), 'utf8');
		return actual.length === expected.length && timingSafeEqual(actual, expected);
	};

	const signed = findSignatureHeaders(headers).filter(({ signature }) => signature !== '');
	if (signed.length === 0) return { ok: false, reason: 'unsigned' };
	const timed = signed.filter(({ timestamp }) => /^\d{1,12}$/.test(timestamp));
	if (timed.length === 0) return { ok: false, reason: 'untimed' };
	const named = timed.filter(({ eventId }) => eventId !== '');
	if (named.length === 0) return { ok: false, reason: 'unnamed' };
	const genuine = named.slice(0, maxPrefixes).filter(isGenuine);
	if (genuine.length === 0) return { ok: false, reason: 'forged' };
	const fresh = genuine.find(
		({ timestamp }) => Math.abs(now - Number(timestamp)) <= timestampTolerance,
	);
	if (fresh === undefined) return { ok: false, reason: 'outdated' };
	const digest = createHash('sha256').update(body).digest('hex');
	return { ok: true, eventId: fresh.eventId, digest };
}

/**
 * Whether an event is older than any delivery that the service still repeats: then somebody replays a
 * recording. The timestamp of a delivery is not signed, `created_at` is.
 *
 * @param createdAt ISO 8601 (UTC without a zone) or Unix seconds. Anything else never expires
 * @param now Unix time in seconds
 */
export function isEventExpired(createdAt: unknown, now: number): boolean {
	if (typeof createdAt === 'number') return now - createdAt > maxEventAge;
	if (typeof createdAt !== 'string') return false;
	// JavaScript would read a time without a zone as local time.
	const withoutZone = /[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i.test(createdAt);
	return now - Date.parse(withoutZone ? `${createdAt}Z` : createdAt) / 1000 > maxEventAge;
}
