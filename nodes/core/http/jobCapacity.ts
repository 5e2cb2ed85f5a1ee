/**
 * Decides when a request to start a job may be sent while the account runs its maximum number of
 * jobs. Pure functions for accountTraffic.ts.
 *
 * The service refuses such a request with 429, as it does with requests that come too fast, and
 * accepts it only after a running job has ended (docs/service.md, Rate limits and retries). So one
 * request at a time is sent as a probe, while the others wait. Whenever a job is seen to end, one
 * request is sent without a probe.
 */

/** Limit on running jobs that a create request counts toward. */
export interface CapacityLimit {
	/**
	 * Name of the limit on running jobs. All jobs that count toward the same limit have the same
	 * name.
	 */
	name: string;
	/** Maximum number of seconds that a request waits while the service starts no further job. */
	maxWait: number;
}

/**
 * What is known about how many more jobs an account can start under one limit. Times are Unix times
 * in milliseconds.
 */
export interface JobCapacity {
	/**
	 * Time at which the service refused to start another job. Undefined while the account is not
	 * known to run its maximum number of jobs.
	 */
	fullSince?: number;
	/**
	 * Number of jobs that may be started without a probe, because that many running jobs have
	 * ended.
	 */
	free: number;
	/**
	 * Number of jobs that may be started without a probe, because the service accepted the last
	 * probe.
	 */
	bonus: number;
	/**
	 * Number of running jobs whose end was missed: the service started other jobs although no end
	 * was seen that made room for them. If the end of such a job is seen later, it makes no further
	 * room. Negative if the service still counts jobs that have ended, which shows when it refuses
	 * a job after their end.
	 */
	unnoticed: number;
	/**
	 * Time at which the count in `unnoticed` expires. By then, the end of a job of this process
	 * would have been seen, so the rest were jobs of other processes.
	 */
	unnoticedUntil: number;
	/**
	 * Whether a probe is in flight: a request that tests whether the account can start another job.
	 */
	isProbing: boolean;
	/**
	 * Earliest time at which to test again, with a single request, whether the account can start
	 * another job.
	 */
	nextProbe: number;
	/**
	 * Number of consecutive probes that the service refused. It determines the pause before the
	 * next probe.
	 */
	refusedProbes: number;
	/**
	 * Number of further jobs that may be started once the service accepts the next probe. It
	 * doubles with each accepted probe.
	 */
	growth: number;
	/** Number of running jobs of the account that this process knows about. */
	running: number;
	/** Smallest number of known running jobs at which the service refused a probe. */
	runningWhenFull?: number;
	/** Time at which the service last accepted a request to start a job. */
	acceptedAt: number;
}

/**
 * Why a request to start a job may be sent. `unlimited`: the account is not known to be at its
 * limit. `freed`: a running job has ended. `bonus`: the service accepted a probe. `probe`: the
 * request itself tests whether the account can start another job.
 */
export type JobStartPermission = 'unlimited' | 'freed' | 'bonus' | 'probe';

/**
 * Whether the service accepted a request to start a job, refused it with 429, or sent a response
 * that shows neither.
 */
export type JobStartOutcome = 'accepted' | 'refused' | 'unknown';

/**
 * Creates the initial capacity of an account, which is not known to be at its limit of running
 * jobs.
 */
export const createJobCapacity = (): JobCapacity => ({
	free: 0,
	bonus: 0,
	unnoticed: 0,
	unnoticedUntil: 0,
	isProbing: false,
	nextProbe: 0,
	refusedProbes: 0,
	growth: 1,
	running: 0,
	acceptedAt: 0,
});

/**
 * Maximum number of further jobs that one accepted probe allows. If a probe succeeds after that,
 * the account is no longer considered to be at its limit.
 */
const maxGrowth = 8;
/**
 * Maximum pause between two probes in milliseconds, for each running job that this process knows
 * about. With more known jobs, pauses can be longer, because the end of a job is noticed without
 * probing.
 */
const maxProbePause = 60_000;

/** Longest delay in milliseconds with which polling notices that a job has ended. */
const maxNoticeDelay = 40_000;

/**
 * Returns the Unix time in milliseconds at which a request to start a job may be sent. Returns
 * `Infinity` while a probe is in flight.
 */
export function getNextJobStartTime(capacity: JobCapacity | undefined): number {
	if (capacity?.fullSince === undefined || capacity.free + capacity.bonus > 0) return 0;
	return capacity.isProbing ? Infinity : capacity.nextProbe;
}

/**
 * Reserves capacity for a request that is about to start a job. Returns why the request may be
 * sent, and the remaining capacity.
 */
export function reserveCapacity(capacity: JobCapacity): [JobStartPermission, JobCapacity] {
	if (capacity.fullSince === undefined) return ['unlimited', capacity];
	if (capacity.free > 0) return ['freed', { ...capacity, free: capacity.free - 1 }];
	if (capacity.bonus > 0) return ['bonus', { ...capacity, bonus: capacity.bonus - 1 }];
	return ['probe', { ...capacity, isProbing: true }];
}

/**
 * Returns the number of running jobs whose end was missed (`unnoticed` in JobCapacity), or 0 if the
 * count has expired.
 */
const getUnnoticed = ({ unnoticed, unnoticedUntil }: JobCapacity, now: number): number =>
	now < unnoticedUntil ? unnoticed : 0;

/**
 * Reduces the number of refused probes after the capacity has changed, which halves the pause
 * before the next probe. The pause does not start over, because jobs that end one by one each take
 * about the same time. With a quarter instead of half, the service refuses one request in four when
 * many jobs end at different times.
 */
const shortenPauses = (refusedProbes: number): number => Math.max(refusedProbes - 1, 1);

/**
 * Changes the number of running jobs whose end was missed, and postpones the time at which that
 * number expires.
 */
const countUnnoticed = (capacity: JobCapacity, change: number, now: number): JobCapacity => ({
	...capacity,
	unnoticed: getUnnoticed(capacity, now) + change,
	unnoticedUntil: now + maxNoticeDelay,
});

/** Returns the capacity of an account after the service has accepted a request to start a job. */
export function updateCapacityAfterAcceptance(
	capacity: JobCapacity,
	permission: JobStartPermission,
	now: number,
): JobCapacity {
	if (permission === 'unlimited' || permission === 'freed') return { ...capacity, acceptedAt: now };
	const accepted = { ...countUnnoticed(capacity, 1, now), acceptedAt: now };
	if (permission === 'bonus') return accepted;
	const { growth, refusedProbes, bonus } = capacity;
	// An accepted first probe shows that the requests came too fast: the account is not full.
	const isFull = refusedProbes > 0 && growth <= maxGrowth;
	return {
		...accepted,
		isProbing: false,
		refusedProbes: isFull ? shortenPauses(refusedProbes) : 0,
		...(isFull
			? { bonus: bonus + growth, growth: growth * 2, nextProbe: now }
			: { fullSince: undefined, free: 0, bonus: 0, unnoticed: 0, growth: 1 }),
	};
}

/**
 * Returns the capacity of an account after the service has refused a request to start a job.
 *
 * @param refusal.seconds pause that the service asked for
 * @param refusal.random random number from 0 to 1 that varies the pause before the next probe
 */
export function updateCapacityAfterRefusal(
	capacity: JobCapacity,
	permission: JobStartPermission,
	refusal: { seconds: number; random: number },
	now: number,
): JobCapacity {
	const { fullSince, running, nextProbe } = capacity;
	const earliest = now + refusal.seconds * 1000;
	// Requests that were in flight together are refused together. They count as one refusal.
	if (permission === 'unlimited' && fullSince !== undefined) {
		return { ...capacity, nextProbe: Math.max(nextProbe, earliest) };
	}
	const refusedProbes = {
		unlimited: 0,
		probe: capacity.refusedProbes + 1,
		bonus: capacity.refusedProbes,
		freed: shortenPauses(capacity.refusedProbes),
	}[permission];
	const longest = maxProbePause * Math.max(1, running);
	const backoff = Math.min(longest, 1000 * 2 ** Math.min(refusedProbes, 20));
	// The service still counts the job that has ended, and those whose end made room for other
	// requests.
	const stillCounted = permission === 'freed' ? 1 + capacity.free : 0;
	return {
		...(stillCounted > 0 ? countUnnoticed(capacity, -stillCounted, now) : capacity),
		fullSince: fullSince ?? now,
		free: 0,
		bonus: 0,
		growth: 1,
		...(refusedProbes === 0
			? {}
			: { runningWhenFull: Math.min(running, capacity.runningWhenFull ?? Infinity) }),
		isProbing: permission === 'probe' ? false : capacity.isProbing,
		refusedProbes,
		nextProbe: Math.max(earliest, now + backoff * (0.5 + refusal.random / 2)),
	};
}

/**
 * Returns the capacity of an account after a request to start a job whose response shows neither
 * acceptance nor refusal. Another request may be sent in its place.
 */
export const releaseReservedCapacity = (
	capacity: JobCapacity,
	permission: JobStartPermission,
): JobCapacity => ({
	...capacity,
	...(permission === 'probe' ? { isProbing: false } : {}),
	...(permission === 'freed' ? { free: capacity.free + 1 } : {}),
	...(permission === 'bonus' ? { bonus: capacity.bonus + 1 } : {}),
});

/**
 * Returns the capacity of an account after one of its jobs has ended.
 *
 * @param wasRunning whether the job was seen running after the account reached its limit. Otherwise
 * it may have ended before, so its end only allows a probe
 */
export function updateCapacityAfterJobEnd(
	capacity: JobCapacity,
	wasRunning: boolean,
	now: number,
): JobCapacity {
	if (capacity.fullSince === undefined) return capacity;
	if (!wasRunning) return { ...capacity, nextProbe: Math.min(capacity.nextProbe, now) };
	const unnoticed = getUnnoticed(capacity, now);
	if (unnoticed > 0) return { ...capacity, unnoticed: unnoticed - 1 };
	if (unnoticed === 0) return { ...capacity, free: capacity.free + 1 };
	// The service counts a job for a while after its end. A probe shows whether it still does.
	return {
		...countUnnoticed(capacity, -1, now),
		refusedProbes: shortenPauses(capacity.refusedProbes),
		nextProbe: Math.min(capacity.nextProbe, now),
	};
}

/**
 * Allows a probe immediately when a request to start a job begins to wait and no other is waiting.
 * What was learned before may be outdated.
 */
export const allowProbeNow = (capacity: JobCapacity, now: number): JobCapacity =>
	capacity.fullSince === undefined
		? capacity
		: { ...capacity, nextProbe: Math.min(capacity.nextProbe, now) };
