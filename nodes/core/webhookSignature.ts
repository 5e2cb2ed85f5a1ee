/**
 * Signs and verifies webhook deliveries (docs/service.md, Events and deliveries). This file
 * contains only pure functions.
 *
 * The signature is the hex-encoded HMAC-SHA256 of the raw body. It does not cover the headers with
 * the timestamp and the event ID, so a receiver must recognize repeated events by the body alone.
 */
import { createHmac, timingSafeEqual } from 'crypto';
import { toUnixSeconds } from './time';

/**
 * Maximum difference, in seconds, between a webhook delivery's timestamp and the current time. A
 * delivery with a larger difference is rejected.
 */
export const timestampToleranceSeconds = 300;

/**
 * Age in seconds above which an event is rejected: 25 hours. The service repeats failed deliveries
 * for 24 hours.
 */
export const maxEventAgeSeconds = 25 * 3600;

/** Headers of a webhook request, with header names in lowercase. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Result of verifying a webhook delivery. */
export type VerificationResult =
	{ ok: true } | { ok: false; reason: 'unsigned' | 'untimed' | 'unnamed' | 'outdated' | 'forged' };

/**
 * Returns the signature of a raw request body: its hex-encoded HMAC-SHA256, computed with the
 * endpoint's secret. Pass the body exactly as received, because parsing and serializing it would
 * change its bytes.
 */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Pattern of a valid signature: a hex-encoded SHA-256 hash. Anything else, of any length, is
 * rejected without a comparison.
 */
const signaturePattern = /^[0-9a-f]{64}$/i;

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
 * Verifies that a webhook delivery is genuine and recent. The service sends the headers
 * `<prefix>-signature`, `<prefix>-timestamp` and `<prefix>-event-id`, where the prefix is the
 * service's brand name. Any prefix is accepted, because only the signature proves that a delivery
 * is genuine. Proxies may add signatures with other prefixes, so all signatures are checked. Their
 * number needs no limit: Node.js accepts at most 16 KB of headers, and the body is hashed only
 * once.
 *
 * @param now Unix time in seconds
 */
export function verifyDelivery(delivery: {
	secret: string;
	body: Buffer | string;
	headers: WebhookHeaders;
	now: number;
}): VerificationResult {
	const { secret, body, headers, now } = delivery;
	const expected = Buffer.from(sign(secret, body), 'hex');
	const isGenuine = ({ signature }: SignatureHeaders) =>
		signaturePattern.test(signature) && timingSafeEqual(Buffer.from(signature, 'hex'), expected);

	const signed = findSignatureHeaders(headers).filter(({ signature }) => signature !== '');
	if (signed.length === 0) return { ok: false, reason: 'unsigned' };
	const timed = signed.filter(({ timestamp }) => /^\d{1,12}$/.test(timestamp));
	if (timed.length === 0) return { ok: false, reason: 'untimed' };
	const named = timed.filter(({ eventId }) => eventId !== '');
	if (named.length === 0) return { ok: false, reason: 'unnamed' };
	const genuine = named.filter(isGenuine);
	if (genuine.length === 0) return { ok: false, reason: 'forged' };
	const isFresh = genuine.some(
		({ timestamp }) => Math.abs(now - Number(timestamp)) <= timestampToleranceSeconds,
	);
	return isFresh ? { ok: true } : { ok: false, reason: 'outdated' };
}

/**
 * Whether an event is so old that it must be a replay rather than a delivery by the service. The
 * age is calculated from `created_at`, which is part of the signed body; the timestamp header is
 * not signed. Events dated too far in the future also count as expired, because otherwise someone
 * could replay them until that date.
 *
 * @param createdAt time in any format that `toUnixSeconds` accepts, in UTC if it has no time zone.
 * Other values never count as expired
 * @param now Unix time in seconds
 */
export function isEventExpired(createdAt: unknown, now: number): boolean {
	const seconds = toUnixSeconds(createdAt, 'UTC');
	return seconds !== undefined && Math.abs(now - seconds) > maxEventAgeSeconds;
}
