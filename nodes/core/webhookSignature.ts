/**
 * Signs and verifies webhook deliveries (service.md, Events and deliveries).
 *
 * The signature is the hex-encoded HMAC-SHA256 of the raw body. It does not cover the headers with
 * the timestamp and the event ID, so a receiver must recognize repeated events by the body alone.
 */
import { createHmac, timingSafeEqual } from 'crypto';
import { toUnixSeconds } from './time';

/** Maximum difference, in seconds, between a delivery's timestamp and the current time. */
export const timestampToleranceSeconds = 300;

/** Maximum age of an event in seconds. The service repeats failed deliveries for 24 hours. */
export const maxEventAgeSeconds = 25 * 3600;

/** Headers of a webhook request, with header names in lowercase. */
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Result of verifying a delivery. `isUntimed`: genuine, but only its body shows its age. */
export type SignatureVerificationResult =
	| { ok: true; isUntimed?: true }
	| { ok: false; reason: 'unsigned' | 'untimed' | 'outdated' | 'forged' };

/**
 * Returns the signature of a request body, computed with the endpoint's secret. Pass the body
 * exactly as received, because parsing and serializing it would change its bytes.
 */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(body).digest('hex');
}

/** Pattern of a signature: a hex-encoded SHA-256 hash, optionally after the algorithm's name. */
const signaturePattern = /^(?:sha256=)?([0-9a-f]{64})$/i;

/** Pattern of a timestamp: Unix seconds or milliseconds, or an ISO 8601 time. */
const timestampPattern = /^(\d{1,13}(\.\d+)?|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)?)$/;

interface SignatureHeaders {
	signature: string;
	/** Time in the header, in Unix seconds. Undefined if the header is missing or is not a time. */
	timestamp?: number;
	/** Whether this is a bare `Signature` header, which older deliveries send without a timestamp. */
	isBare: boolean;
}

/**
 * Returns each `<prefix>-signature` header of a delivery with its `<prefix>-timestamp` header. The
 * prefix may be missing. A repeated header counts as missing.
 */
function findSignatureHeaders(headers: WebhookHeaders): SignatureHeaders[] {
	const readHeader = (name: string) => {
		const value = headers[name];
		return typeof value === 'string' ? value : '';
	};
	return Object.keys(headers)
		.filter((name) => /(^|.-)signature$/.test(name) && readHeader(name) !== '')
		.map((name) => {
			const time = readHeader(name.replace(/signature$/, 'timestamp'));
			return {
				signature: readHeader(name),
				timestamp: timestampPattern.test(time) ? toUnixSeconds(time, 'UTC') : undefined,
				isBare: name === 'signature',
			};
		});
}

/**
 * Verifies that a webhook delivery is genuine and recent. The service sends the headers
 * `<prefix>-signature` and `<prefix>-timestamp`, where the prefix is the service's brand name. Any
 * prefix is accepted, because only the signature proves that a delivery is genuine. Proxies may add
 * signatures with other prefixes, so all signatures are checked. Their number needs no limit:
 * Node.js accepts at most 16 KB of headers, and the body is hashed only once.
 *
 * @param now Unix time in seconds
 */
export function verifyDelivery(delivery: {
	secret: string;
	body: Buffer | string;
	headers: WebhookHeaders;
	now: number;
}): SignatureVerificationResult {
	const { secret, body, headers, now } = delivery;
	const expected = Buffer.from(sign(secret, body), 'hex');
	const isGenuine = ({ signature }: SignatureHeaders) => {
		const hex = signaturePattern.exec(signature)?.[1];
		return hex !== undefined && timingSafeEqual(Buffer.from(hex, 'hex'), expected);
	};

	const signed = findSignatureHeaders(headers);
	if (signed.length === 0) return { ok: false, reason: 'unsigned' };
	const genuine = signed.filter(isGenuine);
	if (genuine.length === 0) return { ok: false, reason: 'forged' };
	const times = genuine.flatMap(({ timestamp }) => timestamp ?? []);
	if (times.some((time) => Math.abs(now - time) <= timestampToleranceSeconds)) return { ok: true };
	if (times.length > 0) return { ok: false, reason: 'outdated' };
	const isBare = genuine.some((one) => one.isBare);
	return isBare ? { ok: true, isUntimed: true } : { ok: false, reason: 'untimed' };
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
