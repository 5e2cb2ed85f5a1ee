/**
 * Signatures of deliveries (docs/service.md, Events and deliveries). Pure functions.
 *
 * The signature is the hex HMAC-SHA256 of the raw body; timestamp and event id are not part of
 * it, so a receiver must also recognise a body that it has seen.
 */
import { createHash, createHmac, timingSafeEqual } from 'crypto';

/** Deliveries older or newer than this many seconds are refused. */
export const timestampTolerance = 300;

/** Events older than this many seconds are refused: the service repeats a delivery for 24 hours. */
export const maxEventAge = 25 * 3600;

/** Headers as they arrive: names in lower case. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What a verification found. The digest is that of the body, which is signed; the id is not. */
export type VerificationResult =
	| { ok: true; eventId: string; digest: string }
	| { ok: false; reason: 'unsigned' | 'untimed' | 'unnamed' | 'outdated' | 'forged' };

/**
 * Hex HMAC-SHA256 of a raw body, keyed with the secret of the endpoint. A parsed body, serialised
 * again, would have other bytes.
 */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(body).digest('hex');
}

/** Proxies on the way may add signatures of their own; more than this many are not compared. */
const maxPrefixes = 10;

const signatureSuffix = '-signature';

interface SignatureHeaders {
	signature: string;
	timestamp: string;
	eventId: string;
}

/** What the headers of each prefix say; empty where a header is missing or there twice. */
function findSignatureHeaders(headers: WebhookHeaders): SignatureHeaders[] {
	const one = (name: string) => {
		const value = headers[name];
		return typeof value === 'string' ? value : '';
	};
	return Object.keys(headers)
		.filter((name) => name.endsWith(signatureSuffix) && name !== signatureSuffix)
		.map((name) => name.slice(0, -signatureSuffix.length))
		.map((prefix) => ({
			signature: one(`${prefix}${signatureSuffix}`),
			timestamp: one(`${prefix}-timestamp`),
			eventId: one(`${prefix}-event-id`),
		}));
}

/**
 * Whether a delivery is genuine, and fresh. Its headers are `<prefix>-signature`,
 * `<prefix>-timestamp` and `<prefix>-event-id`, with the brand of the service as the prefix: any
 * prefix will do, the signature is what protects.
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
		const given = Buffer.from(signature.toLowerCase(), 'utf8');
		return given.length === expected.length && timingSafeEqual(given, expected);
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
 * Whether an event was made so long ago that no repeated delivery of it can be due: then it is a
 * recording. The timestamp of a delivery is not signed, `created_at` is.
 *
 * @param createdAt ISO 8601, UTC where it names no zone; or Unix seconds. Anything else tells nothing
 * @param now Unix time in seconds
 */
export function isEventExpired(createdAt: unknown, now: number): boolean {
	if (typeof createdAt === 'number') return now - createdAt > maxEventAge;
	if (typeof createdAt !== 'string') return false;
	// JavaScript would take a time without a zone for one of this machine's zone.
	const withoutZone = /[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i.test(createdAt);
	return now - Date.parse(withoutZone ? `${createdAt}Z` : createdAt) / 1000 > maxEventAge;
}
