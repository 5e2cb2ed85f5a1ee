/**
 * Whether and when a request is sent again: a pure decision about what one try came to.
 *
 * The rules (docs/service.md, Rate limits and retries): what the service itself refuses with 429 or
 * 503 was not carried out, so every request is repeated. After any other failure that may pass,
 * and after a broken connection, only what does no harm twice: reads, PUT, PATCH, DELETE, and
 * creates that carry an `Idempotency-Key`. `request_in_progress` and `resource_not_ready` are
 * polled. All else stays refused.
 */
import { isQuotaCode } from '../errors/advice';
import { classifyConnectionError } from '../errors/connection';
import { maxRetryAfter } from '../errors/errorDetails';
import type { FailedReply } from './reply';

/** What the decision needs to know about the request and its tries so far. */
export interface AttemptState {
	method: string;
	/** A second time does no harm. */
	repeatable: boolean;
	/** It makes something: its outcome is of interest even when nothing more can be done. */
	creates: boolean;
	/** Tries so far, this one included. */
	attempts: number;
	/** Seconds since the first try. */
	seconds: number;
	/** A try before this one may have been carried out. */
	mayHaveSucceeded: boolean;
	/** From 0 to 1, by chance: tries of many items shall not come at the same moment. */
	random: number;
}

/** What to do next. */
export type RetryDecision =
	| { next: 'done' }
	| {
			next: 'again';
			/** Seconds until this request is sent again. */
			after: number;
			/** Seconds for which no request of the account is sent. */
			hold?: number;
			/** The service works on it: the try does not count. */
			free?: boolean;
	  }
	| {
			next: 'error';
			/** The request may have been carried out all the same. */
			uncertain: boolean;
	  };

/**
 * Tries for answers that say nothing but "not now": about 40 seconds. With 30 % of them failing,
 * one request in 170,000 is given up.
 */
const maxAttempts = 10;
/** Tries while the service cannot be reached at all: most often the address is mistyped. */
const maxAttemptsUnreachable = 4;
/** Own pauses between tries grow from half a second to this many seconds. */
const maxBackoffSeconds = 8;
/** How long a request that is in progress, or a resource that is not ready, is asked again (s). */
const maxPollSeconds = 300;

/** Codes with which the service says that it is still at work (docs/service.md, Errors). */
const inProgressCodes = ['request_in_progress', 'resource_not_ready'];
/** Codes of a status that may pass, which do not pass (docs/service.md, Errors). */
const finalCodes = ['video_delete_failed'];

/** Methods whose second time sets or tells the same. */
const repeatableMethods: readonly string[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

/** What the method and the key of a request say about a second time. */
export function classifyRequest(method: string, request: { repeatable: boolean; keyed: boolean }) {
	const harmless = request.repeatable || repeatableMethods.includes(method);
	return { method, repeatable: harmless || request.keyed, creates: !harmless };
}

/** Seconds before the next try: half a second, then twice as long each time. */
export const calculateBackoff = (tries: number, random: number) =>
	Math.min(maxBackoffSeconds, 0.5 * 2 ** (tries - 1)) * (0.5 + random / 2);

/** Whether a failed try may have been carried out. */
export function mayHaveSucceeded(reply: FailedReply): boolean {
	switch (reply.kind) {
		case 'refusal':
			if (reply.status < 500 && reply.status !== 429) return false;
			// A 429 of the service names its pause, if nothing else.
			if (reply.status === 429) return !reply.own && reply.facts.retry_after === undefined;
			return reply.status !== 503 || !reply.own;
		case 'unconnected':
			return classifyConnectionError(reply.code) === 'broken';
		case 'unrenewed':
			return false;
		case 'unreadable':
			return true;
	}
}

/** Refusals that come before the service looks at the key: they tell nothing about an earlier try. */
const statusesBeforeKeyCheck = [401, 403, 429, 503];

/** Whether nothing may exist by now that the request has made, this try or one before it. */
function isNothingCreated(reply: FailedReply, maybeDone: boolean): boolean {
	if (mayHaveSucceeded(reply)) return false;
	const { kind } = reply;
	if (kind === 'refusal' && reply.facts.code === 'request_in_progress') return false;
	return !maybeDone || (kind === 'refusal' && !statusesBeforeKeyCheck.includes(reply.status));
}

/** A limit: for this request, and for all requests of the account. */
function retryAfterLimit(reply: FailedReply & { kind: 'refusal' }, own: number, random: number) {
	const asked = reply.facts.retry_after;
	// A used-up quota does not come back by waiting a little.
	const after = Math.max(asked ?? (isQuotaCode(reply.facts.code) ? Infinity : 0), own);
	if (after > maxRetryAfter) return undefined;
	// All wait as long as the service asks; how often this one was turned away is its own.
	return { after: after + random * Math.min(1, after / 4 + 0.1), hold: asked ?? own };
}

/** What follows a refusal of what may be sent again, if anything but an error. */
function retryAfterRefusal(reply: FailedReply & { kind: 'refusal' }, tried: AttemptState) {
	const { status, facts } = reply;
	const { seconds, attempts: tries, random } = tried;
	const own = calculateBackoff(tries, random);
	if (status === 429) return retryAfterLimit(reply, own, random);
	if (inProgressCodes.includes(facts.code ?? '')) {
		// Polled ever more slowly, up to a pause of some seconds.
		return seconds < maxPollSeconds
			? { after: calculateBackoff(Math.min(tries, 4), random), free: true }
			: undefined;
	}
	if (status < 500 || finalCodes.includes(facts.code ?? '')) return undefined;
	const asked = facts.retry_after;
	const after = asked !== undefined && asked <= maxRetryAfter ? Math.max(asked, 0.05) : own;
	return { after };
}

/** What to do after one try. */
export function decideRetry(reply: FailedReply, tried: AttemptState): RetryDecision {
	const {
		method,
		repeatable,
		creates,
		attempts: tries,
		mayHaveSucceeded: maybeDone,
		random,
	} = tried;
	// The first DELETE got through although its answer was lost.
	if (reply.kind === 'refusal' && reply.status === 404 && method === 'DELETE' && maybeDone) {
		return { next: 'done' };
	}
	const safe = repeatable || !mayHaveSucceeded(reply);
	const uncertain = creates && !isNothingCreated(reply, maybeDone);
	const error: RetryDecision = { next: 'error', uncertain };
	const again = (after: number): RetryDecision => ({ next: 'again', after });
	if (reply.kind === 'refusal') {
		const pause = safe ? retryAfterRefusal(reply, tried) : undefined;
		if (!pause || (tries >= maxAttempts && !('free' in pause))) return error;
		return { next: 'again', ...pause };
	}
	const own = calculateBackoff(tries, random);
	switch (reply.kind) {
		case 'unreadable':
			return reply.cut && repeatable && tries < maxAttempts ? again(own) : error;
		case 'unrenewed':
			// The service refused the request with 401, so that even a create may be repeated.
			return reply.passing && tries < maxAttemptsUnreachable ? again(own) : error;
		case 'unconnected': {
			const state = classifyConnectionError(reply.code);
			if (state === 'unsent') return tries < maxAttemptsUnreachable ? again(own) : error;
			return state === 'broken' && repeatable && tries < maxAttempts ? again(own) : error;
		}
	}
}
