/**
 * Decides whether and when a failed request is sent again. Pure functions.
 *
 * The rules (docs/service.md, Rate limits and retries):
 * - If the service refuses with 429 or 503, it has not carried out the request. Every request is
 *   retried, even a create without an idempotency key.
 * - After 500, 502, 504, a 429 or 503 from a proxy, or a broken connection, only requests that are
 *   safe to repeat are retried: reads, PUT, PATCH, DELETE, and creates with an idempotency key.
 * - A create that starts a job is sent again after each 429, because the account may run as many
 *   jobs as it may: jobCapacity.ts decides when, and the wait is limited by time.
 * - `request_in_progress` and `resource_not_ready` are polled for five minutes.
 * - All other refusals are final.
 *
 * Retries end after 10 attempts, which take about 40 seconds with the node's own pauses. After
 * `Retry-After`, the next pause is the one that the service asks for: up to five minutes each. A
 * longer one is an error that reports when to retry.
 *
 * A refusal counts as the service's own if its body has an error code (see parseRefusal in reply.ts).
 */
import { isQuotaCode } from '../errors/advice';
import { classifyConnectionError } from '../errors/connection';
import { maxRetryAfter } from '../errors/errorDetails';
import type { FailedReply } from './reply';

type RefusalReply = Extract<FailedReply, { kind: 'refusal' }>;

/** Request with its attempts so far. */
export interface AttemptState {
	method: string;
	/** Whether the request is safe to send twice. */
	repeatable: boolean;
	/** Whether the request creates something. An error then has to report whether it may exist. */
	creates: boolean;
	/** Number of attempts so far, including this one but not polls. */
	attempts: number;
	/** Number of earlier attempts after which the service was still processing the request. */
	polls: number;
	/** Seconds since the first attempt. */
	seconds: number;
	/** Whether an earlier attempt may have succeeded without a usable response. */
	mayHaveSucceeded: boolean;
	/** Whether the request waits in the queue of the account until it has capacity for another job. */
	waitsForCapacity?: boolean;
	/** Random number from 0 to 1, so that many items do not retry at the same moment. */
	random: number;
}

/** Next step after a failed attempt. */
export type RetryDecision =
	| { next: 'done' }
	| {
			next: 'retry';
			/** Seconds until the next attempt. */
			delay: number;
			/** Seconds for which all requests of the account are paused. */
			pauseAccount?: number;
			/**
			 * Whether the service is still processing the request, so that the attempt does not count.
			 */
			isPoll?: boolean;
	  }
	| {
			next: 'error';
			/** Whether the request may have created something although it failed. */
			uncertain: boolean;
	  };

/** Maximum number of attempts. If 30 % of attempts fail, one request in 170,000 fails for good. */
const maxAttempts = 10;
/**
 * Maximum number of attempts while the service is unreachable, most often because its URL is
 * mistyped.
 */
const maxAttemptsUnreachable = 4;
/** Longest pause before the next attempt in seconds, unless the service asks for a longer one. */
const maxBackoffSeconds = 8;
/** Seconds for which a request in progress, or a resource that is not ready, is polled. */
const maxPollSeconds = 300;
/** Number of attempts after which pauses between polls stop growing, at 4 seconds. */
const slowestPollAttempt = 4;

/** Codes of requests that the service is still processing (docs/service.md, Errors). */
const inProgressCodes = ['request_in_progress', 'resource_not_ready'];
/** Codes that are final although their HTTP status is not (docs/service.md, Errors). */
const finalCodes = ['video_delete_failed'];

/** Decides what follows a failed attempt: a retry, an error, or success after all. */
export function decideRetry(reply: FailedReply, state: AttemptState): RetryDecision {
	const isRefusal = reply.kind === 'refusal';
	// An earlier DELETE succeeded although its response was lost.
	if (isRefusal && reply.status === 404 && state.method === 'DELETE' && state.mayHaveSucceeded) {
		return { next: 'done' };
	}
	const isSafe = state.repeatable || !mayHaveSucceeded(reply);
	const retry = isSafe
		? isRefusal
			? decideAfterRefusal(reply, state)
			: decideAfterNoResponse(reply, state)
		: undefined;
	const uncertain = state.creates && !hasCreatedNothing(reply, state.mayHaveSucceeded);
	return retry ? { next: 'retry', ...retry } : { next: 'error', uncertain };
}

type Retry = Omit<Extract<RetryDecision, { next: 'retry' }>, 'next'>;

/** Returns the retry after a refusal, or undefined if the refusal is final. */
function decideAfterRefusal(reply: RefusalReply, state: AttemptState): Retry | undefined {
	const { status, details } = reply;
	const { attempts, polls, seconds, random } = state;
	if (inProgressCodes.includes(details.code ?? '')) {
		if (seconds >= maxPollSeconds) return undefined;
		const delay = calculateBackoff(Math.min(attempts + polls, slowestPollAttempt), random);
		return { delay, isPoll: true };
	}
	const retryAfter = details.retry_after;
	if ((retryAfter ?? 0) > maxRetryAfter) return undefined;
	const backoff = calculateBackoff(attempts, random);
	if (status === 429 && state.waitsForCapacity && !isQuotaCode(details.code)) {
		return { delay: 0, isPoll: true, pauseAccount: retryAfter ?? backoff };
	}
	if (attempts >= maxAttempts) return undefined;
	if (status === 429) {
		// A used-up quota does not recover within seconds, unless the service says so.
		if (retryAfter === undefined && isQuotaCode(details.code)) return undefined;
		const pause = Math.max(retryAfter ?? 0, backoff);
		return {
			delay: pause + random * Math.min(1, pause / 4 + 0.1),
			// The account pauses for as long as the service asks, regardless of how often this request
			// failed.
			pauseAccount: retryAfter ?? backoff,
		};
	}
	if (status < 500 || finalCodes.includes(details.code ?? '')) return undefined;
	return { delay: retryAfter === undefined ? backoff : Math.max(retryAfter, 0.05) };
}

/**
 * Decides how to retry an attempt that got no readable response. Undefined if a retry cannot
 * help.
 */
function decideAfterNoResponse(
	reply: Exclude<FailedReply, RefusalReply>,
	{ attempts, random }: AttemptState,
): Retry | undefined {
	const delay = calculateBackoff(attempts, random);
	const retryUpTo = (most: number) => (attempts < most ? { delay } : undefined);
	switch (reply.kind) {
		case 'unreadable':
			return reply.isTruncated ? retryUpTo(maxAttempts) : undefined;
		case 'accessLost':
			// The service refused the request with 401, so it was not carried out.
			return reply.temporary ? retryUpTo(maxAttemptsUnreachable) : undefined;
		case 'unconnected':
			switch (classifyConnectionError(reply.code)) {
				case 'unsent':
					return retryUpTo(maxAttemptsUnreachable);
				case 'broken':
					return retryUpTo(maxAttempts);
				case 'impossible':
					return undefined;
			}
	}
}

/**
 * Calculates the seconds before the next attempt: half a second, doubled with each attempt up to a
 * maximum, and randomly reduced by up to half.
 */
export const calculateBackoff = (attempts: number, random: number) =>
	Math.min(maxBackoffSeconds, 0.5 * 2 ** (attempts - 1)) * (0.5 + random / 2);

/** Whether the service may have carried out a failed attempt. */
export function mayHaveSucceeded(reply: FailedReply): boolean {
	switch (reply.kind) {
		case 'refusal':
			if (reply.status < 500 && reply.status !== 429) return false;
			// A 429 of the service contains a Retry-After if it has no code.
			if (reply.status === 429)
				return !reply.isFromService && reply.details.retry_after === undefined;
			return reply.status !== 503 || !reply.isFromService;
		case 'unconnected':
			return classifyConnectionError(reply.code) === 'broken';
		case 'accessLost':
			return false;
		case 'unreadable':
			return true;
	}
}

/**
 * Statuses of refusals that precede the check of the idempotency key. They do not reveal the
 * outcome of earlier attempts.
 */
const statusesBeforeKeyCheck = [401, 403, 429, 503];

/** Whether neither this attempt nor an earlier one can have created anything. */
function hasCreatedNothing(reply: FailedReply, mayHaveSucceededBefore: boolean): boolean {
	if (mayHaveSucceeded(reply)) return false;
	const { kind } = reply;
	if (kind === 'refusal' && reply.details.code === 'request_in_progress') return false;
	if (!mayHaveSucceededBefore) return true;
	return kind === 'refusal' && !statusesBeforeKeyCheck.includes(reply.status);
}

/** HTTP methods that are safe to send twice. */
const repeatableMethods: readonly string[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

/** Returns whether a request creates something, and whether it is safe to send twice. */
export function classifyRequest(
	method: string,
	request: { repeatable: boolean; hasKey: boolean },
): Pick<AttemptState, 'method' | 'repeatable' | 'creates'> {
	const isHarmless = request.repeatable || repeatableMethods.includes(method);
	return { method, repeatable: isHarmless || request.hasKey, creates: !isHarmless };
}
