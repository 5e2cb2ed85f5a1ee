/**
 * Whether and when a failed request is sent again: a pure decision after each attempt.
 *
 * The rules (docs/service.md, Rate limits and retries):
 * - The service did not carry out what it refuses with 429 or 503: every request is repeated, also
 *   a create without a key.
 * - After 500, 502, 504, a 429 or 503 of a proxy, and a broken connection, only a request that is
 *   safe to repeat is sent again: a read, PUT, PATCH, DELETE, or a create with an idempotency key.
 * - `request_in_progress` and `resource_not_ready` are polled for five minutes.
 * - All other refusals are final.
 *
 * A request is given up after 10 attempts, which take about 40 seconds. `Retry-After` sets the pause
 * before the next attempt. One above five minutes is an error that says when to come back.
 */
import { isQuotaCode } from '../errors/advice';
import { classifyConnectionError } from '../errors/connection';
import { maxRetryAfter } from '../errors/errorDetails';
import type { FailedReply } from './reply';

type RefusalReply = Extract<FailedReply, { kind: 'refusal' }>;

/** A request and its attempts so far. */
export interface AttemptState {
	method: string;
	/** A second time does no harm. */
	repeatable: boolean;
	/** It creates something: an error has to say whether that may exist. */
	creates: boolean;
	/** Attempts so far, this one included and polls not. */
	attempts: number;
	/** Earlier attempts with the response that the service still works on the request. */
	polls: number;
	/** Seconds since the first attempt. */
	seconds: number;
	/** An earlier attempt may have succeeded although no good response came. */
	mayHaveSucceeded: boolean;
	/** Random number from 0 to 1: many items should not retry at the same moment. */
	random: number;
}

/** The next step after a failed attempt. */
export type RetryDecision =
	| { next: 'done' }
	| {
			next: 'retry';
			/** Seconds until the next attempt. */
			delay: number;
			/** Seconds for which no request of the account is sent. */
			pauseAccount?: number;
			/** The service works on the request: the attempt does not count. */
			isPoll?: boolean;
	  }
	| {
			next: 'error';
			/** The request may have created something all the same. */
			uncertain: boolean;
	  };

/** Attempts before giving up. If 30 % of them fail, one request in 170,000 is given up. */
const maxAttempts = 10;
/** Attempts while the service cannot be reached at all: most often its URL is mistyped. */
const maxAttemptsUnreachable = 4;
/** Longest pause before the next attempt in seconds, unless the service asks for a longer one. */
const maxBackoffSeconds = 8;
/** How long a request in progress, or a resource that is not ready, is polled (seconds). */
const maxPollSeconds = 300;
/** Pauses between polls stop growing with this attempt, at 4 seconds. */
const slowestPoll = 4;

/** Codes of requests that the service still works on (docs/service.md, Errors). */
const inProgressCodes = ['request_in_progress', 'resource_not_ready'];
/** Codes that are final although their status is not (docs/service.md, Errors). */
const finalCodes = ['video_delete_failed'];

/** Decides what follows a failed attempt: another one, an error, or success after all. */
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

/** The retry after a refusal, unless the refusal is final. */
function decideAfterRefusal(reply: RefusalReply, state: AttemptState): Retry | undefined {
	const { status, details } = reply;
	const { attempts, polls, seconds, random } = state;
	if (inProgressCodes.includes(details.code ?? '')) {
		if (seconds >= maxPollSeconds) return undefined;
		const delay = calculateBackoff(Math.min(attempts + polls, slowestPoll), random);
		return { delay, isPoll: true };
	}
	if (attempts >= maxAttempts) return undefined;
	const backoff = calculateBackoff(attempts, random);
	const retryAfter = details.retry_after;
	if ((retryAfter ?? 0) > maxRetryAfter) return undefined;
	if (status === 429) {
		// A used-up quota does not come back within seconds, unless the service says so.
		if (retryAfter === undefined && isQuotaCode(details.code)) return undefined;
		const pause = Math.max(retryAfter ?? 0, backoff);
		return {
			delay: pause + random * Math.min(1, pause / 4 + 0.1),
			// The account waits as the service asks. How often this request was refused is its own.
			pauseAccount: retryAfter ?? backoff,
		};
	}
	if (status < 500 || finalCodes.includes(details.code ?? '')) return undefined;
	return { delay: retryAfter === undefined ? backoff : Math.max(retryAfter, 0.05) };
}

/** The retry after an attempt without a readable response, unless another one cannot help. */
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
			// The service refused the request with 401: it was not carried out.
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

/** Seconds before the next attempt: half a second, then twice as long each time, at random halved. */
export const calculateBackoff = (attempts: number, random: number) =>
	Math.min(maxBackoffSeconds, 0.5 * 2 ** (attempts - 1)) * (0.5 + random / 2);

/** Whether the service may have carried out a failed attempt. */
export function mayHaveSucceeded(reply: FailedReply): boolean {
	switch (reply.kind) {
		case 'refusal':
			if (reply.status < 500 && reply.status !== 429) return false;
			// A 429 of the service has a Retry-After, if no code.
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

/** Statuses of refusals before the service checks the key: they do not reveal earlier attempts. */
const statusesBeforeKeyCheck = [401, 403, 429, 503];

/** Whether it is certain that neither this attempt nor an earlier one has created anything. */
function hasCreatedNothing(reply: FailedReply, mayHaveSucceededBefore: boolean): boolean {
	if (mayHaveSucceeded(reply)) return false;
	const { kind } = reply;
	if (kind === 'refusal' && reply.details.code === 'request_in_progress') return false;
	if (!mayHaveSucceededBefore) return true;
	return kind === 'refusal' && !statusesBeforeKeyCheck.includes(reply.status);
}

/** Methods that set or read the same state when they are sent twice. */
const repeatableMethods: readonly string[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

/** Whether a request creates something, and whether it is safe to send twice. */
export function classifyRequest(
	method: string,
	request: { repeatable: boolean; hasKey: boolean },
): Pick<AttemptState, 'method' | 'repeatable' | 'creates'> {
	const isHarmless = request.repeatable || repeatableMethods.includes(method);
	return { method, repeatable: isHarmless || request.hasKey, creates: !isHarmless };
}
