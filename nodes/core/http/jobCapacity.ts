/**
 * Decides when a request to start a job may be sent while the account is running its maximum number
 * of jobs. Contains only pure functions, which accountTraffic.ts uses. Times are milliseconds of
 * the monotonic clock.
 *
 * The service rejects requests both when the account is at this limit and when they are sent too
 * fast (service.md, Rate limits and retries). At the limit, it accepts another job only after one
 * has ended. After a rejection, one request at a time is therefore sent as a probe, and the others
 * wait.
 *
 * A probe is sent when a job has probably ended. The jobs of a run usually take about the same
 * time, so the oldest job is expected to end next, after that time. The replies to probes correct
 * the estimate until most probes are accepted. No job is polled for this.
 */

/** Limit on running jobs that applies to a request. */
export interface JobCapacityLimit {
	/** Name of the limit. All jobs whose limit has the same name count toward it. */
	name: string;
	/** Maximum seconds that the request waits. The time starts over whenever another job starts. */
	maxWait: number;
}

/** What this process knows about an account's running jobs under one limit. */
export interface JobCapacity {
	/** Time at which this limit started to cause rejections. Undefined if none are known. */
	fullSince?: number;
	isProbing: boolean;
	nextProbe: number;
	/**
	 * Number of probes (requests that test whether another job can start) rejected since the last
	 * accepted one, plus 1. Probes sent before a job's estimated end do not count. 0 before the first
	 * rejected probe, because requests may only have been sent too fast.
	 */
	rejectedProbes: number;
	/** Time of the last rejection, ignoring probes sent before a job's estimated end. */
	rejectedAt: number;
	/** Number of probes (test requests) accepted since the last rejection. */
	acceptedProbes: number;
	/**
	 * Whether an unknown number of jobs has ended while no request was waiting. If so, each accepted
	 * probe is followed by the next one immediately, until a probe is rejected.
	 */
	isFilling: boolean;
	/** Number of ended jobs that no other job has replaced yet. */
	freed: number;
	/** Whether other clients of the account seem to start jobs as soon as jobs end. */
	isContested: boolean;
	/** Start times of the jobs that may be running, oldest first. */
	starts: readonly number[];
	/**
	 * Start times of jobs that took an ended job's place before any node run noticed the end. When
	 * a node run notices that end later, no further job can start in its place.
	 */
	unnoticed: readonly number[];
	/** Estimated milliseconds from a job's start until another job can replace it. 0 if unknown. */
	duration: number;
	/** Fraction of the estimated duration after which a probe tests whether jobs end much sooner. */
	testShare: number;
	acceptedAt: number;
}

/** Outcome of a request to start a job. `rejected`: retry later. `unknown`: any other failure. */
export type JobStartOutcome = 'accepted' | 'rejected' | 'unknown';

/** Bounds of `testShare`, which rises while the estimate is right, so that tests become rarer. */
const testShares = { min: 1 / 8, max: 1 / 2 };

/** Creates the initial state: the account is not known to run its maximum number of jobs. */
export const createJobCapacity = (): JobCapacity => ({
	isProbing: false,
	nextProbe: -Infinity,
	rejectedProbes: 0,
	rejectedAt: -Infinity,
	acceptedProbes: 0,
	isFilling: false,
	freed: 0,
	isContested: false,
	starts: [],
	unnoticed: [],
	duration: 0,
	testShare: testShares.min,
	acceptedAt: -Infinity,
});

/**
 * Shortest and longest pause after a rejected probe, in milliseconds. `contested` is the longest
 * pause if other clients may start jobs as soon as jobs end. Free capacity that lasts for at
 * least that long is always noticed.
 */
const pauses = { min: 1_000, max: 60_000, contested: 15_000 };

/**
 * Milliseconds without a started job after which the node assumes that other clients start jobs
 * as soon as jobs end. The time is long, because the running jobs may simply take that long.
 */
const maxStarvation = 600_000;

/** Factor by which the pause grows with each rejected probe. */
const pauseGrowth = 1.5;

/** First pause after a rejected probe, as a fraction of the jobs' estimated duration. */
const firstPauseShare = 0.04;

/**
 * Factor that reduces the estimated duration if the first probe for an ended job is accepted,
 * because the job may have ended earlier than estimated.
 */
const durationDecay = 0.98;

/** Weight of the latest measurement in the estimated duration. Durations vary from job to job. */
const measurementWeight = 0.5;

/** Maximum milliseconds until a poll notices a job's end, unless the execution is suspended. */
const maxNoticeDelay = 60_000;

/** Maximum milliseconds until the requests of a suspended execution join the queue again. */
const maxSuspension = 600_000;

/** If this many more jobs start than were known to be running, the account is below its limit. */
const maxSurplus = 32;

/** Maximum number of start times to keep. No account may run more jobs (service.md, Limits). */
const maxTimes = 100;

const addTime = (times: readonly number[], now: number) => [...times, now].slice(-maxTimes);

/**
 * Returns when a request to start a job may be sent. `Infinity` while a probe is in flight.
 *
 * @param deadline time when the request is sent even if no job is expected to have ended
 */
export function getNextJobStartTime(capacity: JobCapacity | undefined, deadline: number): number {
	if (capacity?.fullSince === undefined) return -Infinity;
	return capacity.isProbing ? Infinity : Math.min(capacity.nextProbe, deadline);
}

/** Returns when the next job has probably ended, or an earlier time to test this estimate. */
const predictNextEnd = ({ starts, duration, testShare }: JobCapacity, now: number): number =>
	Math.min((starts[0] ?? now) + duration, now + Math.max(pauses.max, duration * testShare));

export function updateCapacityAfterAcceptance(
	capacity: JobCapacity,
	isProbe: boolean,
	now: number,
): JobCapacity {
	const started = { ...capacity, starts: addTime(capacity.starts, now), acceptedAt: now };
	if (!isProbe) return started;
	const { isFilling, freed, rejectedProbes, duration, testShare } = capacity;
	const acceptedProbes = capacity.acceptedProbes + 1;
	const surplus = acceptedProbes - (isFilling ? 0 : capacity.starts.length);
	// If the first probe is accepted, the earlier requests were only sent too fast.
	if (rejectedProbes === 0 || surplus > maxSurplus) {
		const { starts, acceptedAt } = started;
		return { ...createJobCapacity(), starts, acceptedAt, duration, testShare };
	}
	const learned = {
		...started,
		...(freed > 0 ? {} : learnFromAcceptance(capacity, now)),
		isProbing: false,
		rejectedProbes: 1,
		acceptedProbes,
		freed: Math.max(freed - 1, 0),
		isContested: false,
	};
	// Once as many jobs have started as were known to run, the account may be able to run more.
	const isFollowed = isFilling || freed > 1 || acceptedProbes >= learned.starts.length;
	return { ...learned, nextProbe: isFollowed ? now : predictNextEnd(learned, now) };
}

/**
 * Returns what an accepted probe shows about the account's jobs. Normally, the new job takes the
 * place of the oldest one.
 */
function learnFromAcceptance(capacity: JobCapacity, now: number): Partial<JobCapacity> {
	const { starts, unnoticed, duration, isFilling, rejectedProbes, rejectedAt } = capacity;
	const [oldest = now, ...others] = starts;
	const age = now - oldest;
	const replaced = { starts: addTime(others, now), unnoticed: addTime(unnoticed, now) };
	// A probe that follows another one immediately shows nothing about how long jobs take.
	const isImmediate = rejectedProbes === 1 && now - capacity.acceptedAt < pauses.min;
	if (isFilling || isImmediate) {
		if (starts.length > 0 && age >= (duration > 0 ? duration / 2 : pauses.max)) {
			// When the last probe was rejected, the oldest job was still running.
			const least = duration === 0 ? age : rejectedAt - oldest;
			return { ...replaced, duration: Math.max(duration, least) };
		}
		// The oldest job has only just started. While the number of jobs is unknown, the new job is an
		// additional one. Otherwise, it replaces another job that has ended early.
		return { starts: isFilling ? addTime(starts, now) : starts, unnoticed: replaced.unnoticed };
	}
	const isAsExpected = Math.abs(age - duration) < duration / 4;
	const share = isAsExpected ? capacity.testShare * 2 : testShares.min;
	const timed = { ...replaced, testShare: Math.min(share, testShares.max) };
	if (rejectedProbes === 1) return { ...timed, duration: Math.min(duration, age) * durationDecay };
	// The job has ended between the last rejection and now.
	const measured = (age + rejectedAt - oldest) / 2;
	const weight = duration === 0 ? 1 : measurementWeight;
	return { ...timed, duration: duration + (measured - duration) * weight };
}

/**
 * Returns the state after a rejected request to start a job.
 *
 * @param rejection.seconds length of the pause that the service asked for
 * @param rejection.random number from 0 to 1 that varies the pause before the next probe
 */
export function updateCapacityAfterRejection(
	capacity: JobCapacity,
	isProbe: boolean,
	{ seconds, random }: { seconds: number; random: number },
	now: number,
): JobCapacity {
	const { fullSince, duration, freed, rejectedProbes } = capacity;
	// A requested pause does not depend on when a job ends. It is ignored once that time is known.
	const requested = duration > 0 || freed > 0 ? 0 : Math.min(seconds * 1000, pauses.max);
	// Requests that were in flight together are rejected together. They count as one rejection.
	if (!isProbe && fullSince !== undefined) {
		return { ...capacity, nextProbe: Math.max(capacity.nextProbe, now + requested) };
	}
	const full = {
		...capacity,
		fullSince: fullSince ?? now,
		isProbing: isProbe ? false : capacity.isProbing,
		// If this process has started no jobs, jobs of other clients fill the account.
		starts: capacity.starts.length > 0 ? capacity.starts : [now],
		acceptedProbes: 0,
		isFilling: false,
	};
	const [oldest = now] = full.starts;
	if (freed === 0 && isProbe && now < oldest + duration) {
		const nextProbe = Math.max(predictNextEnd(full, now), now + pauses.min);
		return { ...full, rejectedProbes: Math.max(rejectedProbes, 1), nextProbe };
	}
	const first = freed > 0 ? pauses.min : Math.max(pauses.min, duration * firstPauseShare);
	const pause = first * pauseGrowth ** Math.max(rejectedProbes - 1, 0);
	// All known jobs have probably ended.
	const isOverdue = duration > 0 && now - (full.starts.at(-1) ?? now) > 2 * duration;
	const isTaken = isOverdue || (freed > 0 && pause > pauses.contested);
	const isContested = capacity.isContested || isTaken;
	const isStarved = now - Math.max(capacity.acceptedAt, full.fullSince) > maxStarvation;
	const longest = isContested || isStarved ? pauses.contested : pauses.max;
	return {
		...full,
		rejectedProbes: isProbe ? rejectedProbes + 1 : 0,
		rejectedAt: now,
		freed: isTaken ? 0 : freed,
		isContested,
		nextProbe: now + Math.max(requested, Math.min(pause, longest) * (0.5 + random / 2)),
	};
}

/** Records that a node run has noticed the end of a job. */
export function updateCapacityAfterJobEnd(capacity: JobCapacity, now: number): JobCapacity {
	const unnoticed = capacity.unnoticed.filter((time) => now - time < maxNoticeDelay);
	if (unnoticed.length > 0) return { ...capacity, unnoticed: unnoticed.slice(1) };
	const starts = capacity.starts.slice(1);
	if (capacity.fullSince === undefined) return { ...capacity, unnoticed, starts };
	return {
		...capacity,
		unnoticed,
		starts,
		freed: capacity.freed + 1,
		// The next pauses are short, because the service may count the ended job for another moment,
		// and other clients may then start a job first.
		rejectedProbes: Math.min(capacity.rejectedProbes, 1),
		nextProbe: Math.min(capacity.nextProbe, now),
	};
}

/**
 * Lets the next probe be sent immediately. Called when a request to start a job joins an empty
 * queue: by then, the results of earlier probes may be outdated, and old jobs may have ended.
 */
export function allowCapacityProbeNow(capacity: JobCapacity, now: number): JobCapacity {
	const longest = Math.max(2 * capacity.duration, pauses.max);
	const recent = capacity.starts.filter((start) => now - start < longest);
	if (capacity.fullSince === undefined) return { ...capacity, starts: recent };
	const isIdle = now - capacity.nextProbe > maxSuspension;
	const starts = isIdle ? recent : capacity.starts;
	const nextProbe = Math.min(capacity.nextProbe, now);
	return { ...capacity, starts, freed: 0, acceptedProbes: 0, isFilling: true, nextProbe };
}
