/**
 * Decides when an account may send its next request. Pure functions for accountTraffic.ts.
 *
 * Five limits apply: the number of concurrent requests, the pause that the service asked for, the
 * rate that it has been found to accept, documented limits of requests per minute, and the number of
 * jobs that the account may run (jobCapacity.ts).
 */
import { getNextCreateTime, type CapacityLimit, type JobCapacity } from './jobCapacity';

/** Documented limit of requests per minute. All requests with the same limit name share it. */
export interface PerMinuteLimit {
	name: string;
	perMinute: number;
}

/** Number of requests that may be in flight, that are in flight, and that are waiting. */
export interface Slots {
	limit: number;
	inFlight: number;
	waiting: number;
}

/** Limits on the requests of one account. Times are Unix times in milliseconds. */
export interface TrafficState {
	/** Number of requests that may be in flight at the same time. Changes in fractions. */
	concurrency: number;
	/** Time at which the concurrency was last halved. */
	halvedAt: number;
	/** Duration of the fastest response so far, in milliseconds. */
	fastest: number;
	/** End of the pause that the service asked for. */
	pausedUntil: number;
	/** Rate that the service accepts. Undefined until its refusals have revealed one. */
	rate?: RequestRate;
	/** Responses since the last pause, from which the next rate is learned. */
	burst?: ResponseBurst;
	/** Time until which no rate is learned. */
	ignoresRateUntil: number;
	/** Time at which the current rate allows the next request. */
	nextTurn: number;
	/** Send times of requests under each per-minute limit, oldest first, by limit name. */
	sentAt: Map<string, readonly number[]>;
	/** Capacity for running jobs, by the name of the limit that the jobs share. */
	capacity: Map<string, JobCapacity>;
}

/** Series of responses without a long gap between them. Times are Unix times in milliseconds. */
export interface ResponseBurst {
	from: number;
	last: number;
	count: number;
}

/** Estimated rate of requests that the service accepts. */
export interface RequestRate {
	perSecond: number;
	/** Unix time in milliseconds at which the pause that set this rate ended. */
	since: number;
	/** Seconds after `since` before a higher rate is tried. */
	probeAfter: number;
	/** Number of consecutive refusals although no higher rate was tried. */
	failedReductions: number;
}

/** Initial value and limits of the adaptive concurrency. */
export const concurrencyBounds = { initial: 10, min: 1, max: 100 };

/** Creates the state of an account that has not sent any request yet. */
export const createTrafficState = (): TrafficState => ({
	concurrency: concurrencyBounds.initial,
	halvedAt: 0,
	fastest: Infinity,
	pausedUntil: -Infinity,
	ignoresRateUntil: 0,
	nextTurn: 0,
	sentAt: new Map(),
	capacity: new Map(),
});

/** Milliseconds after a pause over which the number of requests in flight rises to the limit. */
const resumePeriod = 250;
/** Milliseconds of a minute plus a margin, because the travel time of requests varies. */
const minuteWindow = 61_000;

/**
 * Returns the Unix time in milliseconds at which a waiting request may be sent. `Infinity` while
 * all slots are taken: one becomes free when a response arrives, not at a known time.
 *
 * @param request.isTransfer whether this is a file transfer with storage outside the API, which
 * needs only a slot
 */
export function getNextSendTime(
	state: TrafficState,
	request: {
		slots: Slots;
		isTransfer: boolean;
		perMinuteLimit?: PerMinuteLimit;
		capacity?: CapacityLimit;
	},
): number {
	const { slots, isTransfer, perMinuteLimit, capacity } = request;
	if (slots.inFlight >= slots.limit) return Infinity;
	if (isTransfer) return 0;
	// At a known rate, requests are spread out anyway.
	const ramp = state.rate ? 0 : resumePeriod * (slots.inFlight / slots.limit);
	const sentAt = perMinuteLimit ? state.sentAt.get(perMinuteLimit.name) : undefined;
	return Math.max(
		state.pausedUntil + ramp,
		state.nextTurn,
		getNextMinuteTime(sentAt, perMinuteLimit),
		getNextCreateTime(capacity && state.capacity.get(capacity.name)),
	);
}

/** Returns the Unix time in milliseconds at which a per-minute limit allows the next request. */
function getNextMinuteTime(sentAt: readonly number[] = [], limit?: PerMinuteLimit): number {
	const oldest = limit && sentAt[sentAt.length - limit.perMinute];
	return oldest === undefined ? 0 : oldest + minuteWindow;
}

/**
 * Adds a request to the send times under a per-minute limit. Times that no longer matter are
 * dropped.
 */
export const addSendTime = (
	times: readonly number[] = [],
	{ perMinute }: PerMinuteLimit,
	now: number,
): number[] => [...times, now].slice(-perMinute);

/** Maximum number of milliseconds by which a request may be sent early after a late one. */
const maxCatchUp = 20;

/**
 * Returns the Unix time in milliseconds at which the current rate allows a request after the one
 * sent now.
 */
export function calculateNextTurn(state: TrafficState, now: number): number {
	const { rate, pausedUntil, nextTurn } = state;
	const perSecond = rate && getCurrentRate(rate, now);
	if (perSecond === undefined) return 0;
	return Math.max(nextTurn, now - maxCatchUp, pausedUntil) + 1000 / perSecond;
}

/**
 * Returns the concurrency after a response. It rises by one with each good response while all slots
 * are taken, and halves after a 429. A response that takes far longer than the fastest one also
 * suggests overload: the concurrency then falls slightly.
 */
export function adaptConcurrency(
	concurrency: number,
	response: { isRateLimited: boolean; isSaturated: boolean; milliseconds: number; fastest: number },
): number {
	const { isRateLimited, isSaturated, milliseconds, fastest } = response;
	if (isRateLimited) return Math.max(concurrencyBounds.min, Math.floor(concurrency / 2));
	// A delay of a few milliseconds may come from this machine.
	const isSlow = milliseconds > Math.max(4 * fastest, fastest + 250);
	if (isSlow) return Math.max(concurrencyBounds.initial, concurrency - 0.5);
	return isSaturated ? Math.min(concurrencyBounds.max, concurrency + 1) : concurrency;
}

/** Milliseconds between two responses after which a new burst begins. */
const burstGap = 2_000;

/**
 * Adds a response to the burst, or starts a new burst.
 *
 * @param sentAt Unix time in milliseconds at which the request was sent
 */
export function countResponseInBurst(
	burst: ResponseBurst | undefined,
	sentAt: number,
	now: number,
): ResponseBurst {
	if (!burst || sentAt - burst.last > burstGap) return { from: sentAt, last: now, count: 1 };
	return { from: burst.from, last: now, count: burst.count + 1 };
}

/** Lowest learned rate in requests per second. For lower limits, the service asks for pauses. */
const minRate = 0.5;
/**
 * Share of the accepted rate that is used. Travel times vary, so two requests may arrive closer
 * together than they were sent.
 */
const rateMargin = 0.97;
/** Seconds before a higher rate is tried for the first time. */
const minProbeInterval = 4;
/**
 * Longest time in seconds between two attempts at a higher rate. Each one that fails costs a pause.
 */
const maxProbeInterval = 64;
/** Seconds after which a rising rate is no longer a limit. It doubles each second. */
const probeSeconds = 10;
/**
 * Number of consecutive reductions that may fail. After that, the rate is not the reason for the
 * refusals.
 */
const maxFailedReductions = 2;
/**
 * Milliseconds without a rate limit of the node's own, after lower rates were refused, too. Only the
 * pauses that the service asks for apply during that time.
 */
const ignoreRatePeriod = 60_000;

/**
 * Returns the requests per second that may be sent now, or `undefined` if the rate is no longer a
 * limit.
 */
export function getCurrentRate(
	{ perSecond, probeAfter, since }: RequestRate,
	now: number,
): number | undefined {
	const secondsOfGrowth = Math.max(0, (now - since) / 1000 - probeAfter);
	return secondsOfGrowth < probeSeconds ? perSecond * 2 ** secondsOfGrowth : undefined;
}

/**
 * Estimates the accepted rate after the service has asked for a pause.
 *
 * @param burst responses before the pause: their number and duration show what the service accepts
 * @param seconds length of the pause, from now
 */
export function learnRate(
	before: RequestRate | undefined,
	burst: ResponseBurst | undefined,
	seconds: number,
	now: number,
): RequestRate {
	const since = now + seconds * 1000;
	const duration = burst ? Math.max(seconds, (now - burst.from) / 1000) : seconds;
	const accepted = burst ? (rateMargin * burst.count) / Math.max(duration, 0.1) : 0;
	if (!before || getCurrentRate(before, now) === undefined) {
		const perSecond = Math.max(accepted, minRate);
		return { perSecond, since, probeAfter: minProbeInterval, failedReductions: 0 };
	}
	const probeAfter = Math.min(before.probeAfter * 4, maxProbeInterval);
	// If a higher rate was tried, it was too high. Otherwise the service accepts less than estimated.
	const hasProbed = (now - before.since) / 1000 > before.probeAfter;
	const perSecond = hasProbed
		? Math.max(before.perSecond * 1.01, accepted)
		: Math.max(Math.min(accepted, before.perSecond), before.perSecond / 2);
	const failedReductions = hasProbed ? 0 : before.failedReductions + 1;
	return { perSecond: Math.max(perSecond, minRate), since, probeAfter, failedReductions };
}

/** Returns the changes to the state after the service has asked for a pause of `seconds`. */
export function adjustRateAfterPause(
	{ pausedUntil, ignoresRateUntil, rate, burst }: TrafficState,
	seconds: number,
	now: number,
): Partial<TrafficState> {
	// Refusals of requests that were in flight together count once.
	if (pausedUntil > now || ignoresRateUntil > now) return {};
	const learned = learnRate(rate, burst, seconds, now);
	return learned.failedReductions > maxFailedReductions
		? { rate: undefined, burst: undefined, ignoresRateUntil: now + ignoreRatePeriod }
		: { rate: learned, burst: undefined };
}
