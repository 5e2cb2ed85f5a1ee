/**
 * Signatures of deliveries (specification, Events, Delivery rules). Pure functions.
 *
 * The signature is the hex HMAC-SHA256 of the raw body; timestamp and event id are not part of
 * it, so a receiver must also recognise a body that it has seen.
 */
import { createHash, createHmac, timingSafeEqual } from 'crypto';

/** Deliveries older or newer than this many seconds are refused. */
export const tolerance = 300;

/** Headers as they arrive: names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What a verification found. */
export type Verdict =
	| { ok: true; eventId: string; digest: string }
	| { ok: false; reason: 'unsigned' | 'untimed' | 'unnamed' | 'outdated' | 'forged' };

function raw(body: Buffer | string): Buffer | string {
	// A parsed body, serialised again, would have other bytes.
	if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
	throw new TypeError('The raw body is needed: a string or a buffer');
}

/** Hex HMAC-SHA256 of a raw body, keyed with the secret of the endpoint. */
export function sign(secret: string, body: Buffer | string): string {
	if (secret === '') throw new TypeError('The secret must not be empty');
	return createHmac('sha256', secret).update(raw(body)).digest('hex');
}

const one = (value: string | string[] | undefined) =>
	typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Whether a delivery is genuine, and fresh.
 *
 * @param prefix how the header names begin, such as `Service`
 * @param now Unix time in seconds
 */
export function verify(delivery: {
	secret: string;
	body: Buffer | string;
	headers: Headers;
	prefix: string;
	now: number;
}): Verdict {
	const { secret, body, headers, now } = delivery;
	const prefix = delivery.prefix.toLowerCase();
	const signature = one(headers[`${prefix}-signature`])?.toLowerCase();
	const timestamp = one(headers[`${prefix}-timestamp`]);
	const eventId = one(headers[`${prefix}-event-id`]);
	if (signature === undefined) return { ok: false, reason: 'unsigned' };
	if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
		return { ok: false, reason: 'untimed' };
	if (eventId === undefined) return { ok: false, reason: 'unnamed' };
	const expected = Buffer.from(sign(secret, body), 'utf8');
	const given = Buffer.from(signature, 'utf8');
	if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
		return { ok: false, reason: 'forged' };
	}
	if (Math.abs(now - Number(timestamp)) > tolerance) return { ok: false, reason: 'outdated' };
	return { ok: true, eventId, digest: createHash('sha256').update(raw(body)).digest('hex') };
}
