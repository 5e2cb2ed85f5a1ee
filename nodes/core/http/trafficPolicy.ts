/**
 * When an account may send its next request: pure decisions for accountTraffic.ts.
 *
 * Four limits apply: the requests in flight at the same time, the pause that the service asked for,
 * the rate that it has shown to accept, and documented limits of requests per minute.
 */

/** A documented limit of requests per minute. All requests that name it share it. */
export interface PerMinuteLimit {
	name: string;
	perMinute: number;
}

/** Requests that may be in flight at the same time, and how many there are. */
export interface Slots {
	limit: number;
	inFlight: number;
	waiting: number;
}

/** What limits the requests of one account. Times are Unix times in milliseconds. */
export interface TrafficState {
	/** Requests that may be in flight at the same time; moves in fractions. */
	concurrency: number;
	/** When the concurrency was last halved. */
	halvedAt: number;
	/** Duration of the fastest response so far, in milliseconds. */
	fastest: number;
	/** End of the pause that the service asked for. */
	heldUntil: number;
	/** The rate that the service accepts, as far as its refusals have shown one. */
	rate?: RequestRate;
	/** Responses since the last pause, from which the next rate is learned. */
	burst?: ResponseBurst;
	/** Until when no rate is learned. */
	ignoresRateUntil: number;
	/** When the next request may be sent at the current rate. */
	nextTurn: number;
	/** When requests were sent under each per-minute limit, oldest first, by its name. */
	sentAt: Map<string, readonly number[]>;
}

/** Responses without a longer gap between them. Times are Unix times in milliseconds. */
export interface ResponseBurst {
	from: number;
	last: number;
	count: number;
}

/** The rate of requests that the service is believed to accept. */
export interface RequestRate {
	perSecond: number;
	/** When the service accepts requests again after the pause that set this rate (Unix ms). */
	since: number;
	/** Seconds from then before a higher rate is tried. */
	probeAfter: number;
	/** Refusals in a row although no higher rate was tried. */
	doubts: number;
}

/** Bounds of the adaptive concurrency. */
export const concurrencyBounds = { initial: 10, min: 1, max: 100 };

/** State of an account that has not sent any request yet. */
export const createTrafficState = (): TrafficState => ({
	concurrency: concurrencyBounds.initial,
	halvedAt: 0,
	fastest: Infinity,
	heldUntil: -Infinity,
	ignoresRateUntil: 0,
	nextTurn: 0,
	sentAt: new Map(),
});

/** Milliseconds after a pause in which the number of requests in flight rises to the limit. */
const resumePeriod = 250;
/** A minute and a margin (milliseconds): requests do not all take equally long to arrive. */
const minuteWindow = 61_000;

/**
 * When a waiting request may be sent (Unix ms). `Infinity` while all slots are taken: one becomes
 * free when a response arrives, not at a known time.
 *
 * @param request.isTransfer a file to or from storage outside the API: it only takes a slot
 */
export function nextSendTime(
	state: TrafficState,
	request: { slots: Slots; isTransfer: boolean; perMinuteLimit?: PerMinuteLimit },
): number {
	const { slots, isTransfer, perMinuteLimit } = request;
	if (slots.inFlight >= slots.limit) return Infinity;
	if (isTransfer) return 0;
	// At a known rate, requests do not all go at once anyway.
	const ramp = state.rate ? 0 : resumePeriod * (slots.inFlight / slots.limit);
	const sentAt = perMinuteLimit ? state.sentAt.get(perMinuteLimit.name) : undefined;
	return Math.max(state.heldUntil + ramp, state.nextTurn, nextMinuteTime(sentAt, perMinuteLimit));
}

/** When a per-minute limit allows one more request (Unix ms). */
function nextMinuteTime(sentAt: readonly number[] = [], limit?: PerMinuteLimit): number {
	const oldest = limit && sentAt[sentAt.length - limit.perMinute];
	return oldest === undefined ? 0 : oldest + minuteWindow;
}

/** Send times under a per-minute limit after one more request. Older ones no longer matter. */
export const addSendTime = (
	times: readonly number[] = [],
	{ perMinute }: PerMinuteLimit,
	now: number,
): number[] => [...times, now].slice(-perMinute);

/** A request may make up for this many milliseconds by which the one before it was late. */
const maxCatchUp = 20;

/** When the request after one that is sent now may go at the current rate (Unix ms). */
export function nextTurnAfter(state: TrafficState, now: number): number {
	const { rate, heldUntil, nextTurn } = state;
	const perSecond = rate && currentRate(rate, now);
	if (perSecond === undefined) return 0;
	return Math.max(nextTurn, now - maxCatchUp, heldUntil) + 1000 / perSecond;
}

/**
 * The concurrency after a response. It rises by one with each good response while all slots are
 * taken, and halves when the service answers 429. A response that takes far longer than the fastest
 * one hints at the same overload: then the concurrency falls slightly.
 */
export function nextConcurrency(
	concurrency: number,
	response: { isRateLimited: boolean; isSaturated: boolean; milliseconds: number; fastest: number },
): number {
	const { isRateLimited, isSaturated, milliseconds, fastest } = response;
	if (isRateLimited) return Math.max(concurrencyBounds.min, Math.floor(concurrency / 2));
	// A delay of a few milliseconds comes from this machine.
	const isSlow = milliseconds > Math.max(4 * fastest, fastest + 250);
	if (isSlow) return Math.max(concurrencyBounds.initial, concurrency - 0.5);
	return isSaturated ? Math.min(concurrencyBounds.max, concurrency + 1) : concurrency;
}

/** A pause of this many milliseconds ends a burst. */
const burstGap = 2_000;

/** The burst after one more response, to a request that was sent at that time (Unix ms). */
export function addResponseToBurst(
	burst: ResponseBurst | undefined,
	sentAt: number,
	now: number,
): ResponseBurst {
	if (!burst || sentAt - burst.last > burstGap) return { from: sentAt, last: now, count: 1 };
	return { from: burst.from, last: now, count: burst.count + 1 };
}

/** Lowest rate in requests per second: a service that counts otherwise asks for pauses itself. */
const minRate = 0.5;
/** Requests do not take equally long to arrive: two may arrive closer together than they left. */
const rateMargin = 0.97;
/** Seconds before a higher rate is tried for the first time. */
const minProbeInterval = 4;
/** Each try of a higher rate that fails costs a pause: the longest time between two, in seconds. */
const maxProbeInterval = 64;
/** A rate doubles each second once a higher one is tried. After this many seconds it is no limit. */
const probeSeconds = 10;
/** After more lower rates than this that were refused as well, the rate is not the reason. */
const maxDoubts = 2;
/** Then no rate is learned for this time (milliseconds): only the pauses of the service count. */
const ignoreRatePeriod = 60_000;

/** Requests per second that may be sent now; `undefined` once the rate is no limit any more. */
export function currentRate(
	{ perSecond, probeAfter, since }: RequestRate,
	now: number,
): number | undefined {
	const secondsOfGrowth = Math.max(0, (now - since) / 1000 - probeAfter);
	return secondsOfGrowth < probeSeconds ? perSecond * 2 ** secondsOfGrowth : undefined;
}

/**
 * The rate to keep after the service has asked for a pause.
 *
 * @param burst responses before the pause: how many in which time shows what the service accepts
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
	if (!before || currentRate(before, now) === undefined) {
		const perSecond = Math.max(accepted, minRate);
		return { perSecond, since, probeAfter: minProbeInterval, doubts: 0 };
	}
	const probeAfter = Math.min(before.probeAfter * 4, maxProbeInterval);
	// Either a try of a higher rate has failed, or the service accepts less than was believed.
	const hasProbed = (now - before.since) / 1000 > before.probeAfter;
	const perSecond = hasProbed
		? Math.max(before.perSecond * 1.01, accepted)
		: Math.max(Math.min(accepted, before.perSecond), before.perSecond / 2);
	const doubts = hasProbed ? 0 : before.doubts + 1;
	return { perSecond: Math.max(perSecond, minRate), since, probeAfter, doubts };
}

/** The changes to the state after the service has asked for a pause of that many seconds. */
export function learnFromPause(
	{ heldUntil, ignoresRateUntil, rate, burst }: TrafficState,
	seconds: number,
	now: number,
): Partial<TrafficState> {
	// Refusals of requests that were in flight together count once.
	if (heldUntil > now || ignoresRateUntil > now) return {};
	const learned = learnRate(rate, burst, seconds, now);
	return learned.doubts > maxDoubts
		? { rate: undefined, burst: undefined, ignoresRateUntil: now + ignoreRatePeriod }
		: { rate: learned, burst: undefined };
}
