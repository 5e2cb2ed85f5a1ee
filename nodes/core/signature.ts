/**
 * Signs and verifies webhook deliveries (docs/service.md, Events and deliveries). Pure functions.
 *
 * The signature is the hex HMAC-SHA256 of the raw body. It does not cover the timestamp and the
 * event ID, so a receiver must also recognize repeated bodies.
 */
import { createHash, createHmac, timingSafeEqual } from 'crypto';

/** Maximum number of seconds between the timestamp of a delivery and the current time. */
export const timestampTolerance = 300;

/** Age in seconds after which an event is refused. The service repeats deliveries for 24 hours. */
export const maxEventAge = 25 * 3600;

/** Request headers, with names in lower case. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Result of verifying a delivery. The digest identifies the signed body; the event ID is not
 * signed.
 */
export type VerificationResult =
	| { ok: true; eventId: string; digest: string }
	| { ok: false; reason: 'unsigned' | 'untimed' | 'unnamed' | 'outdated' | 'forged' };

/**
 * Returns the signature of a raw body: its hex HMAC-SHA256 with the secret of the endpoint. A body
 * that was parsed and serialized again would have different bytes.
 */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(body).digest('hex');
}

/** Maximum number of signatures that are compared. Proxies may add further ones. */
const maxPrefixes = 10;

const signatureSuffix = '-signature';

interface SignatureHeaders {
	signature: string;
	timestamp: string;
	eventId: string;
}

/** Returns the signature headers of each prefix. A missing or repeated header is empty. */
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
 * `<prefix>-timestamp` and `<prefix>-event-id`, where the prefix is the brand of the service. Any
 * prefix is accepted, because the signature alone provides the protection.
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
 * Whether an event is too old for a delivery that the service still repeats, so that it must be a
 * replay. `created_at` decides, because it is signed and the time of the delivery is not.
 *
 * @param createdAt ISO 8601 (UTC without a time zone) or Unix seconds. Other values never expire
 * @param now Unix time in seconds
 */
export function isEventExpired(createdAt: unknown, now: number): boolean {
	if (typeof createdAt === 'number') return now - createdAt > maxEventAge;
	if (typeof createdAt !== 'string') return false;
	// JavaScript would parse a time without a time zone as local time.
	const withoutZone = /[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i.test(createdAt);
	return now - Date.parse(withoutZone ? `${createdAt}Z` : createdAt) / 1000 > maxEventAge;
}
