/** Whether and when a request is sent again. */
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { parseRetryAfter, type FailedReply } from '../../../nodes/core/http/reply';
import {
	calculateBackoff,
	decideRetry,
	mayHaveSucceeded,
	type AttemptState,
} from '../../../nodes/core/http/retryPolicy';

const tried = (more: Partial<AttemptState> = {}): AttemptState => ({
	method: 'POST',
	repeatable: false,
	creates: true,
	attempts: 1,
	seconds: 0,
	mayHaveSucceeded: false,
	random: 0.5,
	...more,
});

const refusal = (status: number, code?: string, more: ErrorDetails = {}): FailedReply => ({
	kind: 'refusal',
	status,
	facts: { status, ...(code === undefined ? {} : { code }), ...more },
	own: code !== undefined,
});

const unconnected = (code: string): FailedReply => ({ kind: 'unconnected', code, detail: '' });

const unkeyed = tried();
const keyed = tried({ repeatable: true });
const read = tried({ method: 'GET', repeatable: true, creates: false });

const again = expect.objectContaining({ next: 'again' });
const doubtful = { next: 'error', uncertain: true };
const certain = { next: 'error', uncertain: false };

test.each([
	['429 of the service', refusal(429, 'rate_limit_exceeded'), again, again],
	['429 with a pause, without a code', refusal(429, undefined, { retry_after: 2 }), again, again],
	['429 of a proxy', refusal(429), doubtful, again],
	['503 of the service', refusal(503, 'service_unavailable'), again, again],
	['503 of a proxy', refusal(503), doubtful, again],
	['500 of the service', refusal(500, 'internal_error'), doubtful, again],
	['502 of a proxy', refusal(502), doubtful, again],
	['504 of the service', refusal(504, 'gateway_timeout'), doubtful, again],
	['a video that could not be deleted', refusal(500, 'video_delete_failed'), doubtful, certain],
	['400', refusal(400, 'invalid_parameter'), certain, certain],
	['401', refusal(401, 'unauthorized'), certain, certain],
	['402', refusal(402, 'insufficient_credit'), certain, certain],
	['409 conflict', refusal(409, 'conflict'), certain, certain],
	['409 in progress', refusal(409, 'request_in_progress'), again, again],
	['409 not ready', refusal(409, 'resource_not_ready'), again, again],
	['a used-up quota', refusal(429, 'quota_exceeded'), certain, certain],
	['a used-up quota by another name', refusal(429, 'free_tier_quota_exceeded'), certain, certain],
	[
		'a pause of an hour',
		refusal(429, 'rate_limit_exceeded', { retry_after: 3600 }),
		certain,
		certain,
	],
	[
		'an answer that was cut',
		{ kind: 'unreadable', status: 200, cut: true } as const,
		doubtful,
		again,
	],
	[
		'a page in place of JSON',
		{ kind: 'unreadable', status: 200, cut: false } as const,
		doubtful,
		certain,
	],
	['a connection that broke', unconnected('ECONNRESET'), doubtful, again],
	['no connection', unconnected('ECONNREFUSED'), again, again],
	['a certificate not trusted', unconnected('DEPTH_ZERO_SELF_SIGNED_CERT'), certain, certain],
	['access not renewed', { kind: 'unrenewed', renewal: 'no' } as const, certain, certain],
	[
		'access not renewed for now',
		{ kind: 'unrenewed', renewal: 'no', passing: { status: 503 } } as const,
		again,
		again,
	],
] as Array<[string, FailedReply, unknown, unknown]>)(
	'%s: once for a create without a key, once for what is safe to repeat',
	(_, reply, withoutKey, safe) => {
		expect(decideRetry(reply, unkeyed)).toEqual(withoutKey);
		expect(decideRetry(reply, read)).toEqual(safe);
		// A create with a key is repeated likewise; what may have been made is told at its end.
		const last = decideRetry(reply, keyed);
		expect(last.next === 'error' ? { ...last, uncertain: false } : last).toEqual(safe);
	},
);

test('404 to a DELETE is good news only where a try before may have got through', () => {
	const gone = refusal(404, 'video_not_found');
	const remove = tried({ method: 'DELETE', repeatable: true, creates: false });
	expect(decideRetry(gone, remove)).toEqual(certain);
	expect(decideRetry(gone, { ...remove, mayHaveSucceeded: true })).toEqual({ next: 'done' });
	expect(decideRetry(gone, { ...read, mayHaveSucceeded: true })).toEqual(certain);
});

test('tries end: ten where the service answers, four where it cannot be reached', () => {
	const busy = refusal(503, 'service_unavailable');
	expect(decideRetry(busy, tried({ attempts: 9 }))).toEqual(again);
	expect(decideRetry(busy, tried({ attempts: 10 }))).toEqual(certain);
	expect(decideRetry(unconnected('ECONNREFUSED'), tried({ attempts: 3 }))).toEqual(again);
	expect(decideRetry(unconnected('ECONNREFUSED'), tried({ attempts: 4 }))).toEqual(certain);
});

test('work in progress is asked for five minutes, however many tries that takes', () => {
	const working = refusal(409, 'request_in_progress');
	expect(decideRetry(working, tried({ attempts: 50, seconds: 299 }))).toMatchObject({
		next: 'again',
		free: true,
	});
	// What is still in progress after that may be made all the same.
	expect(decideRetry(working, tried({ attempts: 50, seconds: 300 }))).toEqual(doubtful);
	const unready = refusal(409, 'resource_not_ready');
	expect(decideRetry(unready, tried({ attempts: 50, seconds: 300 }))).toEqual(certain);
});

test('a pause that the service asks for holds all requests back', () => {
	const busy = refusal(429, 'rate_limit_exceeded', { retry_after: 20 });
	expect(decideRetry(busy, tried({ random: 0 }))).toEqual({ next: 'again', after: 20, hold: 20 });
	const spread = decideRetry(busy, tried({ random: 1 }));
	expect(spread).toMatchObject({ after: 21, hold: 20 });
});

test('own pauses grow from half a second to eight, half of them by chance', () => {
	expect([1, 2, 3, 4, 5, 6, 20].map((tries) => calculateBackoff(tries, 1))).toEqual([
		0.5, 1, 2, 4, 8, 8, 8,
	]);
	expect(calculateBackoff(5, 0)).toBe(4);
});

test('what may be carried out although no good answer came', () => {
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
		['nothing to wait for', '0', 0],
		['less than nothing', '-3', 0],
		['a date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30],
		['a date that is over', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
		['with blanks around it', ' 12 ', 12],
		['a word', 'soon', undefined],
		['an empty text', '', undefined],
		['a list', ['1'], undefined],
		['nothing', undefined, undefined],
		['not a number', Number.NaN, undefined],
	])('%s', (_, value, seconds) => {
		expect(parseRetryAfter(value, now)).toBe(seconds);
	});
});

test('a create with a key of which all answers were lost may exist; a refusal says that it does not', () => {
	const lost = unconnected('ECONNRESET');
	expect(decideRetry(lost, { ...keyed, attempts: 10 })).toEqual(doubtful);
	expect(
		decideRetry(unconnected('ECONNREFUSED'), { ...keyed, attempts: 4, mayHaveSucceeded: true }),
	).toEqual(doubtful);
	expect(
		decideRetry(refusal(402, 'insufficient_credit'), { ...keyed, mayHaveSucceeded: true }),
	).toEqual(certain);
	expect(decideRetry(lost, { ...read, attempts: 10 })).toEqual(certain);
});

test.each([
	['no access any more', refusal(401, 'unauthorized'), true],
	['a scope that was taken away', refusal(403, 'insufficient_api_key_scope'), true],
	['too many requests', refusal(429, 'rate_limit_exceeded', { retry_after: 3600 }), true],
	['out of service', refusal(503, 'service_unavailable'), true],
	['a value that is wrong', refusal(400, 'invalid_parameter'), false],
	['a credential that cannot be renewed', { kind: 'unrenewed', renewal: '' } as FailedReply, true],
])('a lost answer, and then %s: what was made before is told', (_, reply, uncertain) => {
	const last = decideRetry(reply, { ...keyed, attempts: 10, mayHaveSucceeded: true });
	expect(last).toEqual({ next: 'error', uncertain });
	// Without a lost answer before, nothing was made.
	expect(decideRetry(reply, { ...keyed, attempts: 10 })).toEqual(certain);
});
