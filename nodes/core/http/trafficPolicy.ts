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

/**
 * Documented limit on the number of requests per minute. All requests with the same limit name
 * count toward the same limit.
 */
export interface PerMinuteLimit {
	name: string;
	perMinute: number;
}

/** Limit on concurrent requests, with the numbers of requests in flight and waiting. */
export interface ConcurrencySlots {
	limit: number;
	inFlight: number;
	waiting: number;
}

/**
 * Limits that currently apply to one account's requests, and the measurements behind these limits.
 */
export interface TrafficState {
	/**
	 * Maximum number of requests in flight. The value can be fractional and is rounded down when
	 * used.
	 */
	concurrency: number;
	/** Time when the limit on concurrent requests was last halved. */
	halvedAt: number;
	/** Fastest recent response time, in milliseconds. */
	fastest: number;
	/** Time when the current pause of the account's requests ends. */
	pausedUntil: number;
	/**
	 * Estimated request rate that the service accepts. Undefined until the service rejects
	 * requests.
	 */
	rate?: RequestRateEstimate;
	/**
	 * Responses received since the last pause, used to estimate the request rate that the service
	 * accepts.
	 */
	series?: RateMeasurement;
	/** Time when the node may start to estimate the request rate again. */
	ignoresRateUntil: number;
	/** Time when the estimated request rate allows the next request. */
	nextTurn: number;
	/**
	 * Send times of recent requests, oldest first, keyed by the name of the requests' per-minute
	 * limit.
	 */
	sentAt: Map<string, readonly number[]>;
	/**
	 * What this process knows about the account's running jobs, keyed by the name of the limit on
	 * running jobs.
	 */
	capacity: Map<string, JobCapacity>;
}

/**
 * Series of responses without a long gap, used to estimate the request rate that the service
 * accepts.
 */
export interface RateMeasurement {
	from: number;
	last: number;
	count: number;
}

/** Estimate of the request rate that the service accepts. */
export interface RequestRateEstimate {
	perSecond: number;
	/** Time when the estimated rate took effect, at the end of a pause. */
	since: number;
	/** Number of seconds to keep the estimated rate before trying a higher one. */
	probeAfter: number;
	/**
	 * Number of consecutive pauses that the service has requested although the node kept to its
	 * estimated rate. After too many, the node stops limiting the rate for a while.
	 */
	failedReductions: number;
}

/**
 * Initial value, minimum and maximum of the limit on concurrent requests. The limit adapts to the
 * service's responses. With a maximum of 100, a slow network would set the pace of a long list:
 * HTTP Request sends all items at once.
 */
export const concurrencySettings = { initial: 10, min: 1, max: 250 };

/** Creates the initial limits of an account that has not sent any requests yet. */
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

/**
 * Number of milliseconds over which waiting requests are spread after a pause, so that the service
 * does not receive them all at once. Not used if the request rate is limited, because the limit
 * spreads them out anyway.
 */
const resumePeriod = 250;
/**
 * How long a sent request counts toward a per-minute limit, in milliseconds. Longer than a minute,
 * because network delays vary.
 */
const minuteWindow = 61_000;

/**
 * Returns the earliest time when a waiting request may be sent. Returns `Infinity` while all
 * concurrency slots are taken, because it is unknown when the next response will free a slot.
 *
 * @param deadline time when a request that starts a job has waited long enough: it is then sent, and
 * fails if it is rejected again
 */
export function getNextSendTime(
	state: TrafficState,
	request: {
		slots: ConcurrencySlots;
		perMinuteLimit?: PerMinuteLimit;
		capacity?: JobCapacityLimit;
	},
	deadline = Infinity,
): number {
	const { slots, perMinuteLimit, capacity } = request;
	if (slots.inFlight >= slots.limit) return Infinity;
	// At a known rate, requests are spread out anyway.
	const ramp = state.rate ? 0 : resumePeriod * (slots.inFlight / slots.limit);
	const sentAt = perMinuteLimit ? state.sentAt.get(perMinuteLimit.name) : undefined;
	return Math.max(
		state.pausedUntil + ramp,
		state.nextTurn,
		getNextMinuteTime(sentAt, perMinuteLimit),
		getNextJobStartTime(capacity && state.capacity.get(capacity.name), deadline),
	);
}

/** Returns the time when a per-minute limit allows the next request. */
function getNextMinuteTime(sentAt: readonly number[] = [], limit?: PerMinuteLimit): number {
	const oldest = limit && sentAt[sentAt.length - limit.perMinute];
	return oldest === undefined ? 0 : oldest + minuteWindow;
}

/**
 * Adds the current time to the send times of the requests that count toward a per-minute limit.
 * Drops times that are too old to affect the limit.
 */
export const appendSendTime = (
	times: readonly number[] = [],
	{ perMinute }: PerMinuteLimit,
	now: number,
): number[] => [...times, now].slice(-perMinute);

/**
 * If a request is sent late, the gap before the next request is shortened by at most this number of
 * milliseconds. Otherwise, small delays would add up and reduce the request rate.
 */
const maxCatchUp = 20;

/**
 * Returns the time when the estimated request rate allows another request, assuming that one is
 * sent now.
 */
export function calculateNextSendTimeAtRate(state: TrafficState, now: number): number {
	const { rate, pausedUntil, nextTurn } = state;
	const perSecond = rate && getCurrentRate(rate, now);
	if (perSecond === undefined) return 0;
	return Math.max(nextTurn, now - maxCatchUp, pausedUntil) + 1000 / perSecond;
}

/**
 * Factor by which the fastest recent response time grows with each response. Otherwise, a single
 * fast response would make all later requests of a slower kind look like signs of overload.
 */
export const fastestGrowth = 1.01;

/**
 * Returns the new limit on concurrent requests after a response. The limit rises by one if all
 * slots are taken, and halves after a 429. It falls slightly if a response takes far longer than
 * the fastest one, because this suggests overload.
 */
export function adaptConcurrency(
	concurrency: number,
	response: { isRateLimited: boolean; isSaturated: boolean; milliseconds: number; fastest: number },
): number {
	const { isRateLimited, isSaturated, milliseconds, fastest } = response;
	if (isRateLimited) return Math.max(concurrencySettings.min, Math.floor(concurrency / 2));
	// A delay of a few milliseconds may come from this machine.
	const isSlow = milliseconds > Math.max(4 * fastest, fastest + 250);
	if (isSlow) return Math.max(concurrencySettings.initial, concurrency - 0.5);
	return isSaturated ? Math.min(concurrencySettings.max, concurrency + 1) : concurrency;
}

/**
 * Gap between requests, in milliseconds, after which a new series of responses begins. The series
 * is used to estimate the request rate that the service accepts.
 */
const seriesGap = 2_000;

/**
 * Adds a response to the series that is used to estimate the request rate. Starts a new series
 * after a long gap.
 *
 * @param sentAt time when the request was sent
 */
export function addResponseToMeasurement(
	series: RateMeasurement | undefined,
	sentAt: number,
	now: number,
): RateMeasurement {
	if (!series || sentAt - series.last > seriesGap) return { from: sentAt, last: now, count: 1 };
	return { from: series.from, last: now, count: series.count + 1 };
}

/**
 * Lower bound for the estimated rate, in requests per second. If the service accepts even fewer
 * requests, the pauses that it asks for slow the node down enough.
 */
const minRate = 0.5;
/**
 * Fraction of the accepted request rate that the node uses. Network delays vary, so requests may
 * arrive closer together than they were sent.
 */
const rateMargin = 0.97;
/** Number of seconds to keep the first estimate of the request rate before trying a higher rate. */
const minProbeInterval = 4;
/**
 * Maximum number of seconds to keep an estimate of the request rate before trying a higher rate.
 * Long, because a rate that is too high makes the service ask for a pause.
 */
const maxProbeInterval = 64;
/**
 * Length, in seconds, of the test for a higher request rate. During the test, the rate doubles
 * every second. After the test, the rate is unlimited.
 */
const probeSeconds = 10;
/**
 * Number of times in a row that the service may ask for a pause although the node was keeping to
 * the estimated rate. After one more time, the node stops limiting the rate for a while, because
 * lower rates have not helped.
 */
const maxFailedReductions = 2;
/**
 * Number of milliseconds for which the request rate stays unlimited after lower rates have not
 * helped. The other limits still apply.
 */
const ignoreRatePeriod = 60_000;

/**
 * Returns the number of requests per second that may be sent now, or `undefined` if the rate is no
 * longer limited.
 */
export function getCurrentRate(
	{ perSecond, probeAfter, since }: RequestRateEstimate,
	now: number,
): number | undefined {
	const secondsOfGrowth = Math.max(0, (now - since) / 1000 - probeAfter);
	return secondsOfGrowth < probeSeconds ? perSecond * 2 ** secondsOfGrowth : undefined;
}

/**
 * Estimates the request rate that the service accepts, after the service has asked for a pause.
 *
 * @param series responses before the pause. Their number and the time that they span show which
 * rate the service accepts
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

/**
 * Returns the changes to an account's estimated request rate after the service has asked for a
 * pause.
 */
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
