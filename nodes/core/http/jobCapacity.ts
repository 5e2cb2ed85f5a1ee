/**
 * Decides when a request to start a job may be sent while the account is running its maximum number
 * of jobs. Contains only pure functions, which accountTraffic.ts uses. Times are milliseconds of the
 * monotonic clock.
 *
 * The service rejects requests both when the account is at this limit and when they are sent too
 * fast. At the limit, it accepts another job only after a running one has ended (docs/service.md,
 * Rate limits and retries). After a rejection, one request at a time is therefore sent as a probe,
 * and the others wait.
 *
 * A probe is sent when a node run has noticed the end of a job, or when a job has probably ended.
 * Jobs of a run take about as long as each other, so the next one ends about one duration after the
 * oldest start. The replies to the probes correct the estimated duration. No job is polled for this.
 */

/** Limit on running jobs that applies to a request, shared by all limits with the same name. */
export interface JobCapacityLimit {
	name: string;
	/**
	 * Seconds that a request may wait to start a job before it fails. The wait starts over whenever
	 * the service starts a job for another request.
	 */
	maxWait: number;
}

/** What this process knows about an account's running jobs under one limit. */
export interface JobCapacity {
	/** Time of the first rejection. Undefined while the account is not known to be at its limit. */
	fullSince?: number;
	isProbing: boolean;
	/** Earliest time for the next probe. */
	nextProbe: number;
	/**
	 * 0 until a probe is rejected: requests may only have been sent too fast. Then 1, plus the number
	 * of probes that were sent too early since the last accepted one.
	 */
	rejectedProbes: number;
	/** Time of the last rejection. -Infinity if none shows that jobs are running. */
	rejectedAt: number;
	acceptedAt: number;
	/** Start times of this process's jobs that are probably running, oldest first. */
	starts: readonly number[];
	/** Number of jobs that this process could run when a probe was last rejected. 0 if unknown. */
	places: number;
	/**
	 * Number of jobs whose places others have taken before a node run has noticed their end. When one
	 * notices it, no further job can start.
	 */
	unnoticed: number;
	/** Estimated time from the oldest start until another job can start. 0 if it is unknown. */
	duration: number;
}

/** `rejected` for a reason that ends without the user. `unknown`: the response shows neither. */
export type JobStartOutcome = 'accepted' | 'rejected' | 'unknown';

/** Creates the record of an account that is assumed to be below its limit on running jobs. */
export const createJobCapacity = (): JobCapacity => ({
	isProbing: false,
	nextProbe: -Infinity,
	rejectedProbes: 0,
	rejectedAt: -Infinity,
	acceptedAt: -Infinity,
	starts: [],
	places: 0,
	unnoticed: 0,
	duration: 0,
});

/**
 * Milliseconds after a rejected probe. The longest pause is `contested` if other clients may be
 * taking the places of ended jobs: only a place that is free for that long is found for sure.
 */
const pauses = { min: 1_000, max: 60_000, contested: 15_000 };
const pauseGrowth = 1.5;
/** First pause after a probe that was sent too early, as a share of the estimated duration. */
const firstPauseShare = 0.04;
/** Time without a started job after which other clients may be taking the places of ended jobs. */
const maxStarvation = 600_000;
/** Time after which the requests of a suspended execution have joined the queue again. */
const maxSuspension = 600_000;
/**
 * Factor for the estimated duration when a probe is accepted at the first attempt: the job may have
 * ended some time before.
 */
const durationDecay = 0.98;
/** Number of jobs beyond the known ones after which the account counts as below its limit. */
const maxSurplus = 32;
/** No account may run that many jobs (docs/service.md, Limits). */
const maxStarts = 100;

/**
 * Returns `Infinity` while a probe is in flight.
 *
 * @param deadline time when the request is sent in any case, because it may not wait any longer
 */
export function getNextJobStartTime(capacity: JobCapacity | undefined, deadline: number): number {
	if (capacity?.fullSince === undefined) return -Infinity;
	return capacity.isProbing ? Infinity : Math.min(capacity.nextProbe, deadline);
}

/** Returns when the next job will probably have ended, or an earlier time to test the estimate. */
const predictNextEnd = ({ starts, duration }: JobCapacity, now: number): number =>
	Math.min((starts[0] ?? now) + duration, now + Math.max(pauses.max, duration / 2));

/** Whether jobs may be running under the limit. */
export const mayRunJobs = ({ starts, rejectedAt }: JobCapacity): boolean =>
	starts.length > 0 || rejectedAt > -Infinity;

/** Whether this process's jobs should have ended, but another client has taken their places. */
export function isContested(capacity: JobCapacity, now: number): boolean {
	const { fullSince, acceptedAt, starts, duration } = capacity;
	if (fullSince === undefined || acceptedAt === -Infinity) return false;
	return starts.length === 0 || (duration > 0 && now - acceptedAt > 2 * duration);
}

export function updateCapacityAfterAcceptance(
	capacity: JobCapacity,
	isProbe: boolean,
	now: number,
): JobCapacity {
	const { rejectedProbes, rejectedAt, starts, places, unnoticed, duration } = capacity;
	const added = { ...capacity, acceptedAt: now, starts: [...starts, now].slice(-maxStarts) };
	if (!isProbe) return added;
	// If the first probe is accepted, the requests were only sent too fast.
	if (rejectedProbes === 0 || starts.length >= places + maxSurplus) {
		return { ...createJobCapacity(), starts: added.starts, acceptedAt: now, duration };
	}
	const oldest = starts[0] ?? now;
	// All jobs have started since the last rejection, so the account may be able to run more.
	const isSurplus = oldest > rejectedAt && now - oldest <= duration / 2;
	const isAdded = starts.length === 0 || starts.length < places || isSurplus;
	const after = {
		...added,
		isProbing: false,
		rejectedProbes: 1,
		...(isAdded
			? {}
			: {
					starts: added.starts.slice(1),
					unnoticed: Math.min(unnoticed + 1, places),
					duration: learnDuration(capacity, now),
				}),
	};
	const isFollowed = after.starts.length < places || (after.starts[0] ?? now) > rejectedAt;
	return { ...after, nextProbe: isFollowed ? now : predictNextEnd(after, now) };
}

/** Returns the new estimate of the duration after a job has taken the place of the oldest one. */
function learnDuration(capacity: JobCapacity, now: number): number {
	const { duration, starts, acceptedAt, rejectedAt, rejectedProbes } = capacity;
	const age = now - (starts[0] ?? now);
	// The job has ended since the last rejection.
	const measured = age - (now - rejectedAt) / 2;
	if (duration === 0) return Math.max(measured, 0);
	// A probe that follows another one immediately shows nothing about the time.
	if (now - acceptedAt < pauses.min) return duration;
	return rejectedProbes === 1 ? Math.min(duration, age) * durationDecay : (duration + measured) / 2;
}

/**
 * @param rejection.seconds length of the pause that the service asked for
 * @param rejection.random from 0 to 1. Varies the pause before the next probe
 */
export function updateCapacityAfterRejection(
	capacity: JobCapacity,
	isProbe: boolean,
	{ seconds, random }: { seconds: number; random: number },
	now: number,
): JobCapacity {
	const { fullSince, acceptedAt, duration, places, rejectedProbes } = capacity;
	const isFree = capacity.starts.length < places;
	// The service asks for the same pause whenever a job ends. Once that is known, it says nothing.
	const requested = duration > 0 || isFree ? 0 : Math.min(seconds * 1000, pauses.max);
	// Requests that were in flight together are rejected together. They count as one rejection.
	if (!isProbe && fullSince !== undefined) {
		return { ...capacity, nextProbe: Math.max(capacity.nextProbe, now + requested) };
	}
	// A single job beyond the known ones has taken the place of one that has ended early.
	const surplus = places > 0 && capacity.starts.length === places + 1 ? 1 : 0;
	const starts = capacity.starts.slice(surplus);
	const full: JobCapacity = {
		...capacity,
		fullSince: fullSince ?? now,
		isProbing: capacity.isProbing && !isProbe,
		rejectedProbes: isProbe ? Math.max(rejectedProbes, 1) : 0,
		rejectedAt: now,
		starts,
		// Requests in flight may still be accepted.
		places: isProbe ? Math.max(places, starts.length) : 0,
		unnoticed: capacity.unnoticed + surplus,
	};
	const [oldest] = starts;
	if (isProbe && !isFree && oldest !== undefined && now < oldest + duration) {
		return { ...full, nextProbe: Math.max(predictNextEnd(full, now), now + pauses.min) };
	}
	const first = isFree ? pauses.min : Math.max(pauses.min, duration * firstPauseShare);
	const pause = first * pauseGrowth ** Math.max(rejectedProbes - 1, 0);
	// The service may count a job for a moment after its end.
	const isTaken = isFree && pause > pauses.contested;
	const isStarved = now - Math.max(acceptedAt, fullSince ?? now) > maxStarvation;
	const longest = isContested(full, now) || isStarved ? pauses.contested : pauses.max;
	return {
		...full,
		rejectedProbes: isProbe ? rejectedProbes + 1 : 0,
		places: isTaken ? starts.length : full.places,
		nextProbe: now + Math.max(requested, Math.min(pause, longest) * (0.5 + random / 2)),
	};
}

export const updateCapacityAfterUnknown = (capacity: JobCapacity, isProbe: boolean): JobCapacity =>
	isProbe ? { ...capacity, isProbing: false } : capacity;

/** Updates the capacity after a node run has noticed the end of a job. */
export function updateCapacityAfterJobEnd(capacity: JobCapacity, now: number): JobCapacity {
	const { unnoticed, starts, rejectedAt, rejectedProbes, nextProbe } = capacity;
	if (unnoticed > 0) return { ...capacity, unnoticed: unnoticed - 1 };
	return {
		...capacity,
		starts: starts.slice(1),
		// Once all known jobs have ended, only the next rejection shows that others are running.
		rejectedAt: starts.length > 1 ? rejectedAt : -Infinity,
		// The next pauses are short: the service may count the job for a moment.
		rejectedProbes: Math.min(rejectedProbes, 1),
		nextProbe: Math.min(nextProbe, now),
	};
}

/**
 * Called when a request joins a queue that was empty: by then, the results of earlier probes may be
 * outdated, and old jobs have ended.
 */
export function allowCapacityProbeNow(capacity: JobCapacity, now: number): JobCapacity {
	const { fullSince, starts, duration, nextProbe, rejectedProbes } = capacity;
	const allowed = {
		...capacity,
		// The time of the next acceptance shows only that no job takes longer.
		rejectedProbes: duration > 0 ? Math.min(rejectedProbes, 1) : rejectedProbes,
		nextProbe: Math.min(nextProbe, now),
	};
	if (fullSince !== undefined && now - nextProbe <= maxSuspension) return allowed;
	const longest = Math.max(2 * duration, pauses.max);
	const recent = starts.filter((start) => now - start < longest);
	const rejectedAt = recent.length > 0 ? capacity.rejectedAt : -Infinity;
	return { ...allowed, starts: recent, rejectedAt, places: 0, unnoticed: 0 };
}
