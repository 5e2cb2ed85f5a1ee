/** Whether and when a failed request is sent again. */
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { parseRetryAfter, type FailedReply } from '../../../nodes/core/http/reply';
import {
	calculateBackoff,
	decideRetry,
	mayHaveSucceeded,
	type AttemptState,
} from '../../../nodes/core/http/retryPolicy';

const state = (more: Partial<AttemptState> = {}): AttemptState => ({
	method: 'POST',
	repeatable: false,
	creates: true,
	attempts: 1,
	polls: 0,
	seconds: 0,
	mayHaveSucceeded: false,
	random: 0.5,
	...more,
});

const refusal = (status: number, code?: string, more: ErrorDetails = {}): FailedReply => ({
	kind: 'refusal',
	status,
	details: { status, ...(code === undefined ? {} : { code }), ...more },
	isFromService: code !== undefined,
});

const unconnected = (code: string): FailedReply => ({ kind: 'unconnected', code, detail: '' });

const unkeyed = state();
const keyed = state({ repeatable: true });
const read = state({ method: 'GET', repeatable: true, creates: false });

const again = expect.objectContaining({ next: 'retry' });
const uncertain = { next: 'error', uncertain: true };
const certain = { next: 'error', uncertain: false };

test.each([
	['429 of the service', refusal(429, 'rate_limit_exceeded'), again, again],
	[
		'429 with Retry-After, without a code',
		refusal(429, undefined, { retry_after: 2 }),
		again,
		again,
	],
	['429 of a proxy', refusal(429), uncertain, again],
	['503 of the service', refusal(503, 'service_unavailable'), again, again],
	['503 of a proxy', refusal(503), uncertain, again],
	['500 of the service', refusal(500, 'internal_error'), uncertain, again],
	['502 of a proxy', refusal(502), uncertain, again],
	['504 of the service', refusal(504, 'gateway_timeout'), uncertain, again],
	['a video that could not be deleted', refusal(500, 'video_delete_failed'), uncertain, certain],
	['400', refusal(400, 'invalid_parameter'), certain, certain],
	['401', refusal(401, 'unauthorized'), certain, certain],
	['402', refusal(402, 'insufficient_credit'), certain, certain],
	['409 conflict', refusal(409, 'conflict'), certain, certain],
	['409 in progress', refusal(409, 'request_in_progress'), again, again],
	['409 not ready', refusal(409, 'resource_not_ready'), again, again],
	['a used-up quota', refusal(429, 'quota_exceeded'), certain, certain],
	['a used-up quota with another code', refusal(429, 'free_tier_quota_exceeded'), certain, certain],
	[
		'429 with a Retry-After of an hour',
		refusal(429, 'rate_limit_exceeded', { retry_after: 3600 }),
		certain,
		certain,
	],
	[
		'a truncated response',
		{ kind: 'unreadable', status: 200, isTruncated: true } as const,
		uncertain,
		again,
	],
	[
		'a page instead of JSON',
		{ kind: 'unreadable', status: 200, isTruncated: false } as const,
		uncertain,
		certain,
	],
	['a broken connection', unconnected('ECONNRESET'), uncertain, again],
	['no connection', unconnected('ECONNREFUSED'), again, again],
	[
		'a certificate that is not trusted',
		unconnected('DEPTH_ZERO_SELF_SIGNED_CERT'),
		certain,
		certain,
	],
	[
		'a token that cannot be renewed',
		{ kind: 'accessLost', reason: 'no' } as const,
		certain,
		certain,
	],
	[
		'a token that cannot be renewed at the moment',
		{ kind: 'accessLost', reason: 'no', temporary: { status: 503 } } as const,
		again,
		again,
	],
] as Array<[string, FailedReply, unknown, unknown]>)(
	'%s: for a create without a key, and for a request that is safe to repeat',
	(_, reply, withoutKey, safe) => {
		expect(decideRetry(reply, unkeyed)).toEqual(withoutKey);
		expect(decideRetry(reply, read)).toEqual(safe);
		// A create with a key is repeated likewise; its error says whether it may exist.
		const last = decideRetry(reply, keyed);
		expect(last.next === 'error' ? { ...last, uncertain: false } : last).toEqual(safe);
	},
);

test('404 to a DELETE is success only if an earlier attempt may have succeeded', () => {
	const gone = refusal(404, 'video_not_found');
	const remove = state({ method: 'DELETE', repeatable: true, creates: false });
	expect(decideRetry(gone, remove)).toEqual(certain);
	expect(decideRetry(gone, { ...remove, mayHaveSucceeded: true })).toEqual({ next: 'done' });
	expect(decideRetry(gone, { ...read, mayHaveSucceeded: true })).toEqual(certain);
});

test('gives up after ten attempts, and after four if the service cannot be reached', () => {
	const busy = refusal(503, 'service_unavailable');
	expect(decideRetry(busy, state({ attempts: 9 }))).toEqual(again);
	expect(decideRetry(busy, state({ attempts: 10 }))).toEqual(certain);
	expect(decideRetry(unconnected('ECONNREFUSED'), state({ attempts: 3 }))).toEqual(again);
	expect(decideRetry(unconnected('ECONNREFUSED'), state({ attempts: 4 }))).toEqual(certain);
});

test('a request in progress is polled for five minutes, whatever the number of attempts', () => {
	const working = refusal(409, 'request_in_progress');
	expect(decideRetry(working, state({ attempts: 50, seconds: 299 }))).toMatchObject({
		next: 'retry',
		isPoll: true,
	});
	// After that, the request in progress may still succeed.
	expect(decideRetry(working, state({ attempts: 50, seconds: 300 }))).toEqual(uncertain);
	const unready = refusal(409, 'resource_not_ready');
	expect(decideRetry(unready, state({ attempts: 50, seconds: 300 }))).toEqual(certain);
});

test('Retry-After of a 429 pauses all requests of the account', () => {
	const busy = refusal(429, 'rate_limit_exceeded', { retry_after: 20 });
	expect(decideRetry(busy, state({ random: 0 }))).toEqual({
		next: 'retry',
		delay: 20,
		pauseAccount: 20,
	});
	const spread = decideRetry(busy, state({ random: 1 }));
	expect(spread).toMatchObject({ delay: 21, pauseAccount: 20 });
	// A request that is refused often waits longer than the account.
	const soon = refusal(429, 'rate_limit_exceeded', { retry_after: 1 });
	const often = decideRetry(soon, state({ attempts: 5, random: 0 }));
	expect(often).toEqual({ next: 'retry', delay: 4, pauseAccount: 1 });
});

test('Retry-After of a 5xx sets the pause of this request alone', () => {
	for (const status of [500, 502, 503, 504]) {
		const busy = refusal(status, 'x', { retry_after: 20 });
		expect(decideRetry(busy, keyed)).toEqual({ next: 'retry', delay: 20 });
	}
	const now = refusal(503, 'service_unavailable', { retry_after: 0 });
	expect(decideRetry(now, keyed)).toEqual({ next: 'retry', delay: 0.05 });
	const without = refusal(503, 'service_unavailable');
	expect(decideRetry(without, keyed)).toEqual({ next: 'retry', delay: 0.375 });
});

test.each([429, 500, 503])('%d waits for up to five minutes of Retry-After', (status) => {
	const wait = (seconds: number) => refusal(status, 'x', { retry_after: seconds });
	expect(decideRetry(wait(300), read)).toMatchObject({ next: 'retry' });
	expect(decideRetry(wait(301), read)).toEqual(certain);
});

test('polls slow down to four seconds and use up no attempt', () => {
	const working = refusal(409, 'request_in_progress');
	const delays = [0, 1, 2, 3, 10].map((polls) =>
		decideRetry(working, state({ polls, random: 1, attempts: 1 })),
	);
	expect(delays).toEqual(
		[0.5, 1, 2, 4, 4].map((delay) => ({ next: 'retry', delay, isPoll: true })),
	);
});

test('pauses grow from half a second to eight seconds, up to half of them random', () => {
	expect([1, 2, 3, 4, 5, 6, 20].map((attempts) => calculateBackoff(attempts, 1))).toEqual([
		0.5, 1, 2, 4, 8, 8, 8,
	]);
	expect(calculateBackoff(5, 0)).toBe(4);
});

test('a request may have succeeded without a good response', () => {
	expect(mayHaveSucceeded(refusal(500, 'internal_error'))).toBe(true);
	expect(mayHaveSucceeded(refusal(503))).toBe(true);
	expect(mayHaveSucceeded(refusal(503, 'service_unavailable'))).toBe(false);
	expect(mayHaveSucceeded(unconnected('ECONNRESET'))).toBe(true);
	expect(mayHaveSucceeded(unconnected('ENOTFOUND'))).toBe(false);
	expect(mayHaveSucceeded(refusal(404))).toBe(false);
});

describe('Retry-After', () => {
	const now = Date.parse('2026-03-01T12:00:00Z');

	test.each([
		['a number as text', '7', 7],
		['a number', 7, 7],
		['zero', '0', 0],
		['a negative number', '-3', 0],
		['a date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30],
		['a date in the past', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
		['spaces around a number', ' 12 ', 12],
		['a word', 'soon', undefined],
		['an empty text', '', undefined],
		['a list', ['1'], undefined],
		['no value', undefined, undefined],
		['not a number', Number.NaN, undefined],
	])('%s', (_, value, seconds) => {
		expect(parseRetryAfter(value, now)).toBe(seconds);
	});
});

test('a create with a key whose responses were lost may exist, unless a refusal excludes it', () => {
	const lost = unconnected('ECONNRESET');
	expect(decideRetry(lost, { ...keyed, attempts: 10 })).toEqual(uncertain);
	expect(
		decideRetry(unconnected('ECONNREFUSED'), { ...keyed, attempts: 4, mayHaveSucceeded: true }),
	).toEqual(uncertain);
	expect(
		decideRetry(refusal(402, 'insufficient_credit'), { ...keyed, mayHaveSucceeded: true }),
	).toEqual(certain);
	expect(decideRetry(lost, { ...read, attempts: 10 })).toEqual(certain);
});

test.each([
	['a revoked key', refusal(401, 'unauthorized'), true],
	['a revoked scope', refusal(403, 'insufficient_api_key_scope'), true],
	['too many requests', refusal(429, 'rate_limit_exceeded', { retry_after: 3600 }), true],
	['an outage', refusal(503, 'service_unavailable'), true],
	['an invalid value', refusal(400, 'invalid_parameter'), false],
	['a token that cannot be renewed', { kind: 'accessLost', reason: '' } as FailedReply, true],
])('a lost response, then %s: the error says whether it may exist', (_, reply, mayExist) => {
	const last = decideRetry(reply, { ...keyed, attempts: 10, mayHaveSucceeded: true });
	expect(last).toEqual({ next: 'error', uncertain: mayExist });
	// Without a lost response before, it does not exist.
	expect(decideRetry(reply, { ...keyed, attempts: 10 })).toEqual(certain);
});
