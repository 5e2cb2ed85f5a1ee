/** Whether and when a failed request is sent again. */
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { parseRetryAfterSeconds, type FailedAttempt } from '../../../nodes/core/http/reply';
import {
	calculateBackoff,
	classifyRequest,
	decideRetry,
	isCapacityRejection,
	mayHaveSucceeded,
	type AttemptState,
} from '../../../nodes/core/http/retryPolicy';

const state = (more: Partial<AttemptState> = {}): AttemptState => ({
	method: 'POST',
	safeToRepeat: false,
	creates: true,
	attempts: 1,
	uncountedAttempts: 0,
	seconds: 0,
	mayHaveSucceededBefore: false,
	random: 0.5,
	...more,
});

const rejection = (status: number, code?: string, more: ErrorDetails = {}): FailedAttempt => ({
	kind: 'rejection',
	status,
	details: { status, ...(code === undefined ? {} : { code }), ...more },
	isFromService: code !== undefined,
});

const unconnected = (code: string): FailedAttempt => ({ kind: 'unconnected', code, detail: '' });

const keyed = state({ safeToRepeat: true });
const read = state({ method: 'GET', safeToRepeat: true, creates: false });

const again = expect.objectContaining({ next: 'retry' });
const uncertain = { next: 'error', uncertain: true };
const certain = { next: 'error', uncertain: false };

const limited = (more: ErrorDetails = {}) => rejection(429, 'rate_limit_exceeded', more);
const busy = (more: ErrorDetails = {}) => rejection(503, 'service_unavailable', more);
const working = rejection(409, 'request_in_progress');
const page: FailedAttempt = { kind: 'unreadable', status: 200, code: 'not_json' };
const noToken: FailedAttempt = { kind: 'accessLost', reason: 'no' };

test.each<[string, FailedAttempt, unknown, unknown]>([
	['429 of the service', limited(), again, again],
	[
		'429 with Retry-After, without a code',
		rejection(429, undefined, { retry_after: 2 }),
		again,
		again,
	],
	['429 of a proxy', rejection(429), uncertain, again],
	['503 of the service', busy(), again, again],
	['503 of a proxy', rejection(503), uncertain, again],
	['500 of the service', rejection(500, 'internal_error'), uncertain, again],
	['502 of a proxy', rejection(502), uncertain, again],
	['504 of the service', rejection(504, 'gateway_timeout'), uncertain, again],
	['a video that could not be deleted', rejection(500, 'video_delete_failed'), uncertain, certain],
	['400', rejection(400, 'invalid_parameter'), certain, certain],
	['401', rejection(401, 'unauthorized'), certain, certain],
	['402', rejection(402, 'insufficient_credit'), certain, certain],
	['409 conflict', rejection(409, 'conflict'), certain, certain],
	['409 in progress', working, again, again],
	['409 not ready', rejection(409, 'resource_not_ready'), again, again],
	['a used-up quota', rejection(429, 'quota_exceeded'), certain, certain],
	[
		'a used-up quota with another code',
		rejection(429, 'free_tier_quota_exceeded'),
		certain,
		certain,
	],
	['429 with a Retry-After of an hour', limited({ retry_after: 3600 }), certain, certain],
	['a truncated response', { ...page, code: 'cut_answer' }, uncertain, again],
	['a page instead of JSON', page, uncertain, certain],
	['a broken connection', unconnected('ECONNRESET'), uncertain, again],
	['no connection', unconnected('ECONNREFUSED'), again, again],
	['an untrusted certificate', unconnected('DEPTH_ZERO_SELF_SIGNED_CERT'), certain, certain],
	['a token that cannot be renewed', noToken, certain, certain],
	['a token endpoint that is down', { ...noToken, temporary: { status: 503 } }, again, again],
])(
	'%s: for a create without a key, and for a request that is safe to repeat',
	(_, reply, withoutKey, safe) => {
		expect(decideRetry(reply, state())).toEqual(withoutKey);
		expect(decideRetry(reply, read)).toEqual(safe);
		// A create with a key is repeated likewise; its error says whether it may exist.
		const last = decideRetry(reply, keyed);
		expect(last.next === 'error' ? { ...last, uncertain: false } : last).toEqual(safe);
	},
);

test('404 to a DELETE is success only if an earlier attempt may have succeeded', () => {
	const gone = rejection(404, 'video_not_found');
	const remove = state({ method: 'DELETE', safeToRepeat: true, creates: false });
	expect(decideRetry(gone, remove)).toEqual(certain);
	expect(decideRetry(gone, { ...remove, mayHaveSucceededBefore: true })).toEqual({ next: 'done' });
	expect(decideRetry(gone, { ...read, mayHaveSucceededBefore: true })).toEqual(certain);
	const conflict = rejection(409, 'conflict');
	expect(decideRetry(conflict, { ...remove, mayHaveSucceededBefore: true })).toEqual(certain);
});

test('gives up after ten attempts, and after four if the service cannot be reached', () => {
	const unreachable = unconnected('ECONNREFUSED');
	expect(decideRetry(busy(), state({ attempts: 9 }))).toEqual(again);
	expect(decideRetry(busy(), state({ attempts: 10 }))).toEqual(certain);
	expect(decideRetry(unreachable, state({ attempts: 3 }))).toEqual(again);
	expect(decideRetry(unreachable, state({ attempts: 4 }))).toEqual(certain);
});

test('a request in progress is polled for five minutes, whatever the number of attempts', () => {
	const late = state({ attempts: 50, seconds: 300 });
	const poll = { next: 'retry', isUncounted: true };
	expect(decideRetry(working, { ...late, seconds: 299 })).toMatchObject(poll);
	// After that, the request in progress may still succeed.
	expect(decideRetry(working, late)).toEqual(uncertain);
	expect(decideRetry(rejection(409, 'resource_not_ready'), late)).toEqual(certain);
});

test('Retry-After of a 429 pauses all requests of the account', () => {
	const pauseFor = (retry_after: number, more: Partial<AttemptState>) =>
		decideRetry(limited({ retry_after }), state(more));
	expect(pauseFor(20, { random: 0 })).toEqual({ next: 'retry', delay: 20, pauseAccount: 20 });
	expect(pauseFor(20, { random: 1 })).toMatchObject({ delay: 21, pauseAccount: 20 });
	expect(pauseFor(2, { random: 1 })).toMatchObject({ delay: 2.6, pauseAccount: 2 });
	// A request that is rejected often waits longer than the account.
	const often = pauseFor(1, { attempts: 5, random: 0 });
	expect(often).toEqual({ next: 'retry', delay: 4, pauseAccount: 1 });
});

test('Retry-After of a 5xx sets the pause of this request alone', () => {
	for (const status of [500, 502, 503, 504]) {
		const reply = rejection(status, 'x', { retry_after: 20 });
		expect(decideRetry(reply, keyed)).toEqual({ next: 'retry', delay: 20 });
	}
	expect(decideRetry(busy({ retry_after: 0 }), keyed)).toEqual({ next: 'retry', delay: 0.375 });
	expect(decideRetry(busy(), keyed)).toEqual({ next: 'retry', delay: 0.375 });
});

test.each([429, 500, 503])('%d waits for up to five minutes of Retry-After', (status) => {
	const wait = (seconds: number) => rejection(status, 'x', { retry_after: seconds });
	expect(decideRetry(wait(300), read)).toMatchObject({ next: 'retry' });
	expect(decideRetry(wait(301), read)).toEqual(certain);
});

test('a request that waits for a free job slot uses up no attempt', () => {
	const waiting = state({ attempts: 50, random: 1, isRefusedForNow: true });
	const retry = { next: 'retry', delay: 0, isUncounted: true };
	expect(decideRetry(limited({ retry_after: 7 }), waiting)).toEqual({ ...retry, pauseAccount: 7 });
	expect(decideRetry(limited(), waiting)).toEqual({ ...retry, pauseAccount: 8 });
	expect(decideRetry(limited({ retry_after: 900 }), waiting)).toEqual({
		...{ ...retry, pauseAccount: 60 },
	});
	// A 503 concerns only the request: the account need not pause.
	expect(decideRetry(busy(), waiting)).toEqual({ ...retry, pauseAccount: undefined });
});

test.each([
	['a 429', limited(), true, true],
	['a 429 of a proxy', { ...limited(), isFromService: false }, true, true],
	['a 429 with a long Retry-After', limited({ retry_after: 301 }), true, false],
	['a 503', busy(), true, false],
	['too many jobs at once, with another status', rejection(403, 'concurrency_limit'), true, true],
	['a quota of jobs at once', rejection(429, 'concurrent_quota_exceeded'), true, true],
	['a used-up quota', rejection(429, 'quota_exceeded'), false, false],
	['used-up credit', rejection(429, 'trial_credit_used'), false, false],
	['an error of the service', rejection(500, 'internal_error'), false, false],
	['no response', unconnected('ECONNREFUSED'), false, false],
])('%s ends when running jobs end: %#', (_, reply, whileRunning, otherwise) => {
	expect(isCapacityRejection(reply, true)).toBe(whileRunning);
	expect(isCapacityRejection(reply, false)).toBe(otherwise);
});

test('a used-up quota is retried only if the service says when', () => {
	const renewed = rejection(429, 'quota_exceeded', { retry_after: 5 });
	expect(decideRetry(renewed, state({ random: 0 }))).toMatchObject({ next: 'retry', delay: 5 });
});

test('a request that is repeated later is retried once, after at most two seconds', () => {
	const poll = { ...read, isRepeatedLater: true };
	expect(decideRetry(busy({ retry_after: 2 }), poll)).toEqual({ next: 'retry', delay: 2 });
	expect(decideRetry(busy({ retry_after: 3 }), poll)).toEqual(certain);
	expect(decideRetry(busy(), { ...poll, attempts: 2 })).toEqual(certain);
	// The error of a create request does not say that it may exist: it is repeated anyway.
	const lost = unconnected('ECONNRESET');
	expect(decideRetry(lost, { ...keyed, ...poll, creates: true, attempts: 2 })).toEqual(certain);
	// These do not count.
	expect(decideRetry(working, { ...poll, attempts: 2 })).toEqual(again);
	expect(decideRetry(limited(), { ...poll, attempts: 2 })).toEqual(again);
});

test.each([
	['GET', {}, { safeToRepeat: true, creates: false }],
	['DELETE', {}, { safeToRepeat: true, creates: false }],
	['POST', {}, { safeToRepeat: false, creates: true }],
	['POST', { hasKey: true }, { safeToRepeat: true, creates: true }],
	['POST', { repeatable: true }, { safeToRepeat: true, creates: false }],
])('%s with %j is classified as %j', (method, traits, expected) => {
	const request = { repeatable: false, hasKey: false, ...traits };
	expect(classifyRequest(method, request)).toEqual({ method, ...expected });
});

test('polls slow down to four seconds and use up no attempt', () => {
	const polls = [0, 1, 2, 3, 10].map((count) =>
		decideRetry(working, state({ uncountedAttempts: count, random: 1 })),
	);
	expect(polls).toEqual(
		[0.5, 1, 2, 4, 4].map((delay) => ({ next: 'retry', delay, isUncounted: true })),
	);
});

test('pauses grow from half a second to eight seconds, up to half of them random', () => {
	expect([1, 2, 3, 4, 5, 6, 20].map((attempts) => calculateBackoff(attempts, 1))).toEqual([
		0.5, 1, 2, 4, 8, 8, 8,
	]);
	expect(calculateBackoff(5, 0)).toBe(4);
	const lost = decideRetry(unconnected('ECONNRESET'), { ...read, attempts: 3 });
	expect(lost).toEqual({ next: 'retry', delay: 1.5 });
});

test.each([
	['an error of the service', rejection(500, 'internal_error'), true],
	['an outage of a proxy', rejection(503), true],
	['an outage of the service', busy(), false],
	['a broken connection', unconnected('ECONNRESET'), true],
	['no connection', unconnected('ENOTFOUND'), false],
	['not found', rejection(404), false],
])('whether a request may have succeeded after %s', (_, reply, mayHave) => {
	expect(mayHaveSucceeded(reply)).toBe(mayHave);
});

test.each([
	['a number as text', '7', 7],
	['a number', 7, 7],
	['a negative number', '-3', 0],
	['a date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30],
	['a date in the past', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
	['spaces around a number', ' 12 ', 12],
	['a word', 'soon', undefined],
	['an empty text', '', undefined],
	['only spaces', '  ', undefined],
	['a list', ['1'], undefined],
	['no value', undefined, undefined],
	['not a number', Number.NaN, undefined],
])('Retry-After is read from %s', (_, value, seconds) => {
	expect(parseRetryAfterSeconds(value, Date.parse('2026-03-01T12:00:00Z'))).toBe(seconds);
});

test('a create with a key whose responses were lost may exist', () => {
	const lost = unconnected('ECONNRESET');
	expect(decideRetry(lost, { ...keyed, attempts: 10 })).toEqual(uncertain);
	expect(decideRetry(lost, { ...read, attempts: 10 })).toEqual(certain);
});

test.each([
	['a revoked key', rejection(401, 'unauthorized'), true],
	['a revoked scope', rejection(403, 'insufficient_api_key_scope'), true],
	['too many requests', limited({ retry_after: 3600 }), true],
	['an outage', busy(), true],
	['no connection', unconnected('ECONNREFUSED'), true],
	['no credit', rejection(402, 'insufficient_credit'), true],
	['an invalid value', rejection(400, 'invalid_parameter'), false],
	['a token that cannot be renewed', noToken, true],
])('a lost response, then %s: the error says whether it may exist', (_, reply, mayExist) => {
	const last = decideRetry(reply, { ...keyed, attempts: 10, mayHaveSucceededBefore: true });
	expect(last).toEqual({ next: 'error', uncertain: mayExist });
	// Without a lost response before, it does not exist.
	expect(decideRetry(reply, { ...keyed, attempts: 10 })).toEqual(certain);
});
