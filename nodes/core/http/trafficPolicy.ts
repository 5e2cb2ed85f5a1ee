/**
 * Decides when an account may send its next request. Contains only pure functions, which
 * accountTraffic.ts uses.
 *
 * Up to five limits apply to a request: the maximum number of concurrent requests, the end of the
 * pause after a 429, an estimate of the request rate that the service accepts, a documented limit
 * per minute, and the account's maximum number of running jobs (jobCapacity.ts). Times are
 * milliseconds of the monotonic clock.
 */
import { getNextJobStartTime, type JobCapacityLimit, type JobCapacity } from './jobCapacity';

/** Documented limit on requests per minute. All requests with the same name count toward it. */
export interface PerMinuteLimit {
	name: string;
	perMinute: number;
}

export interface ConcurrencySlots {
	limit: number;
	inFlight: number;
	waiting: number;
}

/** Limits that apply to a request, in addition to those on all of the account's requests. */
export interface RequestLimits {
	slots: ConcurrencySlots;
	perMinuteLimit?: PerMinuteLimit;
	capacity?: JobCapacityLimit;
}

/** Limits on an account's requests, and the measurements from which they are derived. */
export interface TrafficState {
	/** Maximum number of requests in flight. A fraction is rounded down when the value is used. */
	concurrency: number;
	halvedAt: number;
	/** Duration of the fastest recent response, in milliseconds. */
	fastest: number;
	pausedUntil: number;
	/** Estimate of the accepted request rate. Undefined until the service rejects requests. */
	rate?: RequestRateEstimate;
	/** Measurement of the responses since the last pause. */
	series?: RateMeasurement;
	ignoresRateUntil: number;
	/** Time before which the estimated rate allows no further request. */
	nextTurn: number;
	/** Send times of recent requests, oldest first, by the name of the per-minute limit. */
	sentAt: Map<string, readonly number[]>;
	/** State of the account's running jobs, by the name of the limit on them. */
	capacity: Map<string, JobCapacity>;
}

/** Number of responses without a long gap between them, and the time span that they cover. */
export interface RateMeasurement {
	from: number;
	last: number;
	count: number;
}

export interface RequestRateEstimate {
	perSecond: number;
	/** Time from which the estimate applies: the end of the pause on which it is based. */
	since: number;
	/** Seconds to keep the estimate before trying a higher rate. */
	probeAfter: number;
	/** Number of consecutive pauses that were requested although the rate was not exceeded. */
	failedReductions: number;
}

/**
 * Bounds of the number of concurrent requests, which adapts to the service's responses. If the
 * maximum were 100, many items would take longer on a slow network than with n8n's HTTP Request,
 * which sends all items at once.
 */
export const concurrencySettings = { initial: 10, min: 1, max: 250 };

export const createTrafficState = (): TrafficState => ({
	concurrency: concurrencySettings.initial,
	halvedAt: -Infinity,
	fastest: Infinity,
	pausedUntil: -Infinity,
	ignoresRateUntil: 0,
	nextTurn: 0,
	sentAt: new Map(),
	capacity: new Map(),
});

/** Milliseconds over which requests are spread after a pause, if no estimated rate spreads them. */
const resumePeriod = 250;
/** Milliseconds per minute in per-minute limits, including a margin for network delays. */
const minuteWindow = 61_000;

/**
 * Returns when a request may be sent: `Infinity` while all slots are taken, because the next
 * response frees one.
 *
 * @param deadline time when a request to start a job has waited long enough and is sent anyway
 */
export function getNextSendTime(
	state: TrafficState,
	{ slots, perMinuteLimit, capacity }: RequestLimits,
	deadline = Infinity,
): number {
	if (slots.inFlight >= slots.limit) return Infinity;
	// At an estimated rate, requests are spread out anyway.
	const ramp = state.rate ? 0 : resumePeriod * (slots.inFlight / slots.limit);
	const sentAt = perMinuteLimit ? state.sentAt.get(perMinuteLimit.name) : undefined;
	return Math.max(
		state.pausedUntil + ramp,
		state.nextTurn,
		getNextMinuteTime(sentAt, perMinuteLimit),
		getNextJobStartTime(capacity && state.capacity.get(capacity.name), deadline),
	);
}

function getNextMinuteTime(sentAt: readonly number[] = [], limit?: PerMinuteLimit): number {
	const oldest = limit && sentAt[sentAt.length - limit.perMinute];
	return oldest === undefined ? 0 : oldest + minuteWindow;
}

export const appendSendTime = (
	times: readonly number[] = [],
	{ perMinute }: PerMinuteLimit,
	now: number,
): number[] => [...times, now].slice(-perMinute);

/**
 * Maximum milliseconds by which the gap after a late request is shortened. If gaps were not
 * shortened, small delays would add up and reduce the request rate.
 */
const maxCatchUp = 20;

/** Returns when the estimated rate allows another request, assuming that one is sent now. */
export function calculateNextSendTimeAtRate(state: TrafficState, now: number): number {
	const { rate, pausedUntil, nextTurn } = state;
	const perSecond = rate && getCurrentRate(rate, now);
	if (perSecond === undefined) return 0;
	return Math.max(nextTurn, now - maxCatchUp, pausedUntil) + 1000 / perSecond;
}

/**
 * Factor by which each response raises `fastest`, the duration of the fastest response. If it
 * never rose, slower kinds of requests would look like signs of overload after one fast response.
 */
export const fastestTimeGrowth = 1.01;

/**
 * Returns the new number of concurrent requests: one more if all slots are taken, half after a 429,
 * and 0.5 less after a response that took far longer than the fastest one, a sign of overload.
 */
export function adaptConcurrency(
	concurrency: number,
	response: { isRateLimited: boolean; isSaturated: boolean; milliseconds: number; fastest: number },
): number {
	const { isRateLimited, isSaturated, milliseconds, fastest } = response;
	if (isRateLimited) return Math.max(concurrencySettings.min, Math.floor(concurrency / 2));
	// A delay of up to 250 milliseconds may come from this machine.
	const isSlow = milliseconds > Math.max(4 * fastest, fastest + 250);
	if (isSlow) return Math.max(concurrencySettings.initial, concurrency - 0.5);
	return isSaturated ? Math.min(concurrencySettings.max, concurrency + 1) : concurrency;
}

/** Milliseconds without a request after which a new series of responses begins. */
const seriesGap = 2_000;

export function addResponseToMeasurement(
	series: RateMeasurement | undefined,
	sentAt: number,
	now: number,
): RateMeasurement {
	if (!series || sentAt - series.last > seriesGap) return { from: sentAt, last: now, count: 1 };
	return { from: series.from, last: now, count: series.count + 1 };
}

/** Lowest estimate in requests per second. If it is still too fast, the service asks for pauses. */
const minRate = 0.5;
/**
 * Fraction of the accepted rate to use. Network delays vary, so requests may arrive closer together
 * than they were sent.
 */
const rateMargin = 0.97;
/** Seconds to keep the first estimate before trying a higher rate. */
const minProbeInterval = 4;
/** Maximum seconds before trying a higher rate. Long, because too high a rate leads to a pause. */
const maxProbeInterval = 64;
/** Seconds during which the allowed rate doubles every second. After that, it is unlimited. */
const probeSeconds = 10;
/**
 * Number of consecutive pauses that the service may request although the node kept to its estimate.
 * After one more, the rate is unlimited for a while, because lower rates have not helped.
 */
const maxFailedReductions = 2;
const ignoreRatePeriod = 60_000;

/** Returns the allowed requests per second, or `undefined` if they are no longer limited. */
export function getCurrentRate(
	{ perSecond, probeAfter, since }: RequestRateEstimate,
	now: number,
): number | undefined {
	const secondsOfGrowth = Math.max(0, (now - since) / 1000 - probeAfter);
	return secondsOfGrowth < probeSeconds ? perSecond * 2 ** secondsOfGrowth : undefined;
}

/**
 * Estimates the accepted request rate after the service has asked for a pause.
 *
 * @param series responses before the pause, whose number and time span show the accepted rate
 * @param seconds length of the pause, which begins now
 */
export function estimateRequestRate(
	before: RequestRateEstimate | undefined,
	series: RateMeasurement | undefined,
	seconds: number,
	now: number,
): RequestRateEstimate {
	const since = now + seconds * 1000;
	const duration = series ? Math.max(seconds, (now - series.from) / 1000) : seconds;
	const accepted = series ? (rateMargin * series.count) / Math.max(duration, 0.1) : 0;
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

export function calculateRateAfterPause(
	{ pausedUntil, ignoresRateUntil, rate, series }: TrafficState,
	seconds: number,
	now: number,
): Partial<TrafficState> {
	// Rejections of requests that were in flight together count once.
	if (pausedUntil > now || ignoresRateUntil > now) return {};
	const learned = estimateRequestRate(rate, series, seconds, now);
	return learned.failedReductions > maxFailedReductions
		? { rate: undefined, series: undefined, ignoresRateUntil: now + ignoreRatePeriod }
		: { rate: learned, series: undefined };
}
