/**
 * Decides whether and when to retry a failed request. Contains only pure functions.
 *
 * The rules (service.md, Rate limits and retries):
 * - The service does not carry out a request that it rejects with 429 or 503. Even a create request
 *   without an idempotency key is therefore retried. After a 429 for a used-up quota, requests are
 *   only retried if the response contains `Retry-After`.
 * - After 500, 502, 504, a broken connection, or a 429 or 503 from a proxy, the service may have
 *   carried out the request. Only requests that are safe to repeat are then retried: GET, PUT,
 *   PATCH, DELETE, and create requests with an idempotency key. `idempotent` of an operation
 *   (operation.ts) says whether its create requests have one.
 * - A request to start a job is retried whenever it may have been refused because the account is
 *   running its maximum number of jobs. jobCapacity.ts decides when. The number of attempts is not
 *   limited, but the time is (see accountTraffic.ts).
 * - After `request_in_progress` or `resource_not_ready`, the request is repeated for up to five
 *   minutes.
 * - All other error responses are final.
 *
 * Retries end after 10 attempts (4 if the service cannot be reached, 2 if the request polls a job).
 * Ten attempts take about 40 seconds unless the service sends `Retry-After`. With this header, each
 * pause is at least as long as the header says, up to five minutes. If the header asks for a longer
 * pause, the node reports an error that says when to retry. sendWithRetries.ts also stops retrying
 * when the execution is stopped, another item has failed, or the wait for job capacity has expired.
 *
 * An error response comes from the service, not from a proxy, if its body has an error code (see
 * parseRejection in reply.ts).
 */
import { isConcurrencyErrorCode, isQuotaErrorCode } from '../errors/advice';
import { getRequestSendState, maxRetryAfter } from '../errors/errorDetails';
import type { AttemptOutcome, FailedAttempt } from './reply';

type RejectionReply = Extract<FailedAttempt, { kind: 'rejection' }>;

export interface AttemptState {
	method: string;
	safeToRepeat: boolean;
	/** Whether the request creates an object. If so, errors must say whether the object may exist. */
	creates: boolean;
	/** Number of attempts including the current one, but not those in `uncountedAttempts`. */
	attempts: number;
	/**
	 * Number of attempts that do not count toward the maximum, because the service was still
	 * processing the request, or the account could not start another job.
	 */
	uncountedAttempts: number;
	/** Seconds since the request's first attempt. */
	seconds: number;
	/** Whether an earlier attempt may have succeeded although no usable response arrived. */
	mayHaveSucceededBefore: boolean;
	/** Whether the account cannot start a job until some of its running jobs have ended. */
	isRefusedForNow?: boolean;
	/** Whether the request polls a job. The caller sends a poll again later anyway. */
	isRepeatedLater?: boolean;
	/** Random number from 0 to 1 that varies the delay, so that not all retries are sent at once. */
	random: number;
}

export type RetryDecision =
	| { next: 'done' }
	| {
			next: 'retry';
			/** Seconds before the next attempt. */
			delay: number;
			/** Seconds for which to pause all of the account's requests. */
			pauseAccount?: number;
			/** Whether the attempt does not count toward the maximum. */
			isUncounted?: boolean;
	  }
	| {
			next: 'error';
			/** Whether the request may have created something even though it failed. */
			uncertain: boolean;
	  };

/** Maximum attempts. If 30% of them fail, only one request in 170,000 fails permanently. */
const maxAttempts = 10;
/** Maximum attempts if the service cannot be reached. Low, because usually the URL is wrong. */
const maxAttemptsUnreachable = 4;
const maxAttemptsOfPoll = 2;
/** Longest delay in seconds before a poll is retried. The caller polls again later anyway. */
const maxPollBackoff = 2;
const maxBackoffSeconds = 8;
const maxInProgressSeconds = 300;
/** Number of attempts after which pauses stop growing while the request is still in progress. */
const slowestInProgressAttempt = 4;

/** Error codes for a request or resource that is still being processed (service.md, Errors). */
const inProgressCodes = ['request_in_progress', 'resource_not_ready'];
/** Error codes that are never retried, although their HTTP status usually is. */
const finalCodes = ['video_delete_failed'];

/**
 * Longest pause of an account's requests, in seconds, after the service has refused to start a job.
 * A rate limit rarely lasts longer, and while the maximum number of jobs is running, the service
 * still accepts all other requests.
 */
const maxCapacityPause = 60;

/** Whether a reply means that requests are sent too fast, unlike a 429 for a used-up quota. */
export const isRateLimited = (reply: AttemptOutcome) =>
	reply.kind === 'rejection' && reply.status === 429 && !isQuotaErrorCode(reply.details.code);

/** Whether the service refused to start a job because of too many running jobs or requests. */
export const mayBeConcurrencyRejection = (reply: AttemptOutcome) =>
	isRateLimited(reply) ||
	(reply.kind === 'rejection' && isConcurrencyErrorCode(reply.details.code));

/**
 * Whether the service refused to start a job because the account may be running its maximum number
 * of jobs. A 503 or a long `Retry-After` only counts if jobs are known to be running.
 */
export function isCapacityRejection(reply: AttemptOutcome, hasRunningJobs: boolean): boolean {
	if (reply.kind !== 'rejection') return false;
	const isLong = (reply.details.retry_after ?? 0) > maxRetryAfter;
	if (reply.status === 503) return hasRunningJobs;
	return mayBeConcurrencyRejection(reply) && (hasRunningJobs || !isLong);
}

export function decideRetry(reply: FailedAttempt, state: AttemptState): RetryDecision {
	const isRejection = reply.kind === 'rejection';
	// An earlier DELETE has succeeded, but its response was lost.
	if (
		isRejection &&
		reply.status === 404 &&
		state.method === 'DELETE' &&
		state.mayHaveSucceededBefore
	) {
		return { next: 'done' };
	}
	const decide = () =>
		isRejection ? decideAfterRejection(reply, state) : decideAfterNoResponse(reply, state);
	const retry = state.safeToRepeat || !mayHaveSucceeded(reply) ? decide() : undefined;
	if (retry && state.isRepeatedLater && !isWorthRetryingNow(reply, retry, state)) {
		return { next: 'error', uncertain: false };
	}
	const uncertain = state.creates && !hasCreatedNothing(reply, state.mayHaveSucceededBefore);
	return retry ? { next: 'retry', ...retry } : { next: 'error', uncertain };
}

type Retry = Omit<Extract<RetryDecision, { next: 'retry' }>, 'next'>;

/**
 * Whether to retry a failed poll now instead of waiting for the caller's next poll. Always true
 * after a 429: a rate limit ends soon, and the account's other requests also wait for its end.
 */
const isWorthRetryingNow = (
	reply: FailedAttempt,
	{ delay, isUncounted }: Retry,
	state: AttemptState,
) =>
	isUncounted === true ||
	(reply.kind === 'rejection' && reply.status === 429) ||
	(state.attempts < maxAttemptsOfPoll && delay <= maxPollBackoff);

/** Decides how to retry after an error response. Returns `undefined` if the error is final. */
function decideAfterRejection(reply: RejectionReply, state: AttemptState): Retry | undefined {
	const { status, details } = reply;
	const { attempts, uncountedAttempts, seconds, random } = state;
	if (inProgressCodes.includes(details.code ?? '')) {
		if (seconds >= maxInProgressSeconds) return undefined;
		const delay = calculateBackoff(
			Math.min(attempts + uncountedAttempts, slowestInProgressAttempt),
			random,
		);
		return { delay, isUncounted: true };
	}
	const retryAfter = details.retry_after;
	const backoff = calculateBackoff(attempts, random);
	if (state.isRefusedForNow) {
		const pause = Math.min(retryAfter ?? backoff, maxCapacityPause);
		return { delay: 0, isUncounted: true, pauseAccount: status === 429 ? pause : undefined };
	}
	if ((retryAfter ?? 0) > maxRetryAfter) return undefined;
	if (attempts >= maxAttempts) return undefined;
	if (status === 429) {
		// A used-up quota does not recover within seconds, unless the service sends `Retry-After`.
		if (retryAfter === undefined && isQuotaErrorCode(details.code)) return undefined;
		const pause = Math.max(retryAfter ?? 0, backoff);
		return {
			delay: pause + random * Math.min(1, pause / 4 + 0.1),
			// The account pauses for as long as the service asks, however often this request has failed.
			pauseAccount: retryAfter ?? backoff,
		};
	}
	if (status < 500 || finalCodes.includes(details.code ?? '')) return undefined;
	return { delay: Math.max(retryAfter ?? 0, backoff) };
}

/** Decides how to retry without a usable response. Returns `undefined` if a retry cannot help. */
function decideAfterNoResponse(
	reply: Exclude<FailedAttempt, RejectionReply>,
	{ attempts, random }: AttemptState,
): Retry | undefined {
	// Fewer attempts if the service has not received the request, or has rejected it with 401.
	const most = mayHaveSucceeded(reply) ? maxAttempts : maxAttemptsUnreachable;
	if (!showsOutage(reply) || attempts >= most) return undefined;
	return { delay: calculateBackoff(attempts, random) };
}

/** Whether an attempt failed because of an outage of the service or the connection. */
export function showsOutage(reply: FailedAttempt): boolean {
	switch (reply.kind) {
		case 'rejection':
			return reply.status >= 500;
		case 'unconnected':
			return getRequestSendState(reply.code) !== 'impossible';
		case 'unreadable':
			return reply.code === 'cut_answer';
		case 'accessLost':
			return reply.temporary !== undefined;
	}
}

/** Returns the seconds before a retry: 0.5 to 8, doubling each time, randomly cut by up to half. */
export const calculateBackoff = (attempts: number, random: number) =>
	Math.min(maxBackoffSeconds, 0.5 * 2 ** (attempts - 1)) * (0.5 + random / 2);

/** Whether the service may have carried out a request even though the attempt failed. */
export function mayHaveSucceeded(reply: FailedAttempt): boolean {
	switch (reply.kind) {
		case 'rejection':
			if (reply.status < 500 && reply.status !== 429) return false;
			// A 429 with a `Retry-After` comes from the service even if it has no code.
			if (reply.status === 429)
				return !reply.isFromService && reply.details.retry_after === undefined;
			return reply.status !== 503 || !reply.isFromService;
		case 'unconnected':
			return getRequestSendState(reply.code) === 'broken';
		case 'accessLost':
			return false;
		case 'unreadable':
			return true;
	}
}

/**
 * Statuses that the service may return before it checks the idempotency key. They do not show
 * whether an earlier attempt with the same key succeeded.
 */
const statusesBeforeKeyCheck = [401, 402, 403, 429, 503];

/** Whether it is certain that no attempt so far, including the last one, has created anything. */
function hasCreatedNothing(reply: FailedAttempt, mayHaveSucceededBefore: boolean): boolean {
	if (mayHaveSucceeded(reply)) return false;
	const { kind } = reply;
	if (kind === 'rejection' && reply.details.code === 'request_in_progress') return false;
	if (!mayHaveSucceededBefore) return true;
	return kind === 'rejection' && !statusesBeforeKeyCheck.includes(reply.status);
}

const repeatableMethods: readonly string[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

export function classifyRequest(
	method: string,
	request: { repeatable: boolean; hasKey: boolean },
): Pick<AttemptState, 'method' | 'safeToRepeat' | 'creates'> {
	const isHarmless = request.repeatable || repeatableMethods.includes(method);
	return { method, safeToRepeat: isHarmless || request.hasKey, creates: !isHarmless };
}
