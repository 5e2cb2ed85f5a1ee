/**
 * Signs and verifies webhook deliveries (docs/service.md, Events and deliveries). Contains only
 * pure functions.
 *
 * The signature is the hex HMAC-SHA256 of the raw body. It does not cover the timestamp or the
 * event ID, so a receiver must also detect bodies that it has already received.
 */
import { createHash, createHmac, timingSafeEqual } from 'crypto';

/**
 * Maximum difference in seconds between the timestamp of a webhook delivery and the current time.
 */
export const timestampToleranceSeconds = 300;

/**
 * Maximum age of an accepted webhook event in seconds: 25 hours. The service repeats deliveries for
 * 24 hours.
 */
export const maxEventAgeSeconds = 25 * 3600;

/** Headers of a webhook request, with header names in lowercase. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Result of verifying a webhook delivery. Use `digest`, the hash of the signed body, to recognize
 * repeated deliveries: `eventId` is not signed.
 */
export type VerificationResult =
	| { ok: true; eventId: string; digest: string }
	| { ok: false; reason: 'unsigned' | 'untimed' | 'unnamed' | 'outdated' | 'forged' };

/**
 * Returns the signature of a raw request body: its hex HMAC-SHA256 with the endpoint's secret. Pass
 * the body exactly as received, because parsing and serializing it would change its bytes.
 */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Maximum number of signature headers that are checked in one delivery. Proxies may add signature
 * headers with other prefixes.
 */
const maxPrefixes = 10;

const signatureSuffix = '-signature';

interface SignatureHeaders {
	signature: string;
	timestamp: string;
	eventId: string;
}

/**
 * Returns the values of the `<prefix>-signature`, `<prefix>-timestamp` and `<prefix>-event-id`
 * headers for each prefix in a delivery. The value of a missing or repeated header is an empty
 * string.
 */
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
 * Verifies that a webhook delivery is genuine and recent. Its headers are `<prefix>-signature`,
 * `<prefix>-timestamp` and `<prefix>-event-id`, where the prefix is the brand of the service. Any
 * prefix is accepted, because only the signature proves that a delivery is genuine.
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
		({ timestamp }) => Math.abs(now - Number(timestamp)) <= timestampToleranceSeconds,
	);
	if (fresh === undefined) return { ok: false, reason: 'outdated' };
	const digest = createHash('sha256').update(body).digest('hex');
	return { ok: true, eventId: fresh.eventId, digest };
}

/**
 * Whether an event is so old that the service no longer delivers it, which means that the delivery
 * is a replay. The age is calculated from `created_at`, because it is signed and the timestamp of
 * the delivery is not.
 *
 * @param createdAt ISO 8601 (UTC if it has no time zone) or Unix seconds. Events with any other
 * value never expire
 * @param now Unix time in seconds
 */
export function isEventExpired(createdAt: unknown, now: number): boolean {
	if (typeof createdAt === 'number') return now - createdAt > maxEventAgeSeconds;
	if (typeof createdAt !== 'string') return false;
	// JavaScript would parse a time without a time zone as local time.
	const withoutZone = /[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i.test(createdAt);
	return now - Date.parse(withoutZone ? `${createdAt}Z` : createdAt) / 1000 > maxEventAgeSeconds;
}
