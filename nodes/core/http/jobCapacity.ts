/**
 * Decides when a request to start a job may be sent while the account is running its maximum number
 * of jobs. Contains only pure functions, which accountTraffic.ts uses.
 *
 * The service returns 429 both when the account is at this limit and when requests are sent too
 * fast. At the limit, it accepts another job only after a running one has ended
 * (docs/service.md, Rate limits and retries). The package therefore sends one waiting request at a
 * time as a probe, to test whether another job can start. The other requests keep waiting. Whenever
 * the package notices that a job has ended, it sends one of the waiting requests without probing
 * first.
 */

/**
 * Limit on running jobs that applies to a request, and how long the request may wait to start a
 * job.
 */
export interface JobCapacityLimit {
	/** Name of the limit. All jobs with the same limit name count toward the same limit. */
	name: string;
	/**
	 * Number of seconds that a request may wait to start a job before it fails. The wait starts
	 * over whenever the service starts a job for another request.
	 */
	maxWait: number;
}

/**
 * How many more jobs an account can start under one limit, as far as this process knows. Times are
 * Unix times in milliseconds.
 */
export interface JobCapacity {
	/**
	 * Time of the rejection that first showed that the account may be running its maximum number of
	 * jobs. Undefined while the account is not known to be at this limit.
	 */
	fullSince?: number;
	/**
	 * Number of job slots that ended jobs have freed: as many jobs may start without a test request
	 * (probe).
	 */
	free: number;
	/**
	 * Number of jobs that may start without a test request (probe), because the service accepted
	 * the last probe.
	 */
	bonus: number;
	/**
	 * Number of jobs that have ended without this process noticing. They must have ended, because
	 * the service has accepted new jobs in their place. When this process later notices that one of
	 * them has ended, it starts no further job, because a new job has already taken its place.
	 *
	 * A negative number counts jobs that this process has seen end but that the service still
	 * counts as running. In that case, the service has rejected a request although a job had ended.
	 */
	unnoticed: number;
	/**
	 * Time when the count of jobs that have ended unnoticed (`unnoticed`) expires. By then, this
	 * process has noticed the end of each of its own jobs, so any jobs still in the count must
	 * belong to other processes.
	 */
	unnoticedUntil: number;
	/**
	 * Whether a probe (a request that tests whether the account can start another job) is in
	 * flight.
	 */
	isProbing: boolean;
	/**
	 * Earliest time for the next probe (a request that tests whether the account can start another
	 * job).
	 */
	nextProbe: number;
	/**
	 * Number of consecutive test requests (probes) that the service has rejected. Determines the
	 * pause before the next probe.
	 */
	rejectedProbes: number;
	/**
	 * Number of additional jobs that may start once the service accepts the next test request
	 * (probe). Doubles with each accepted probe.
	 */
	growth: number;
	/** Number of the account's running jobs that this process knows about. */
	running: number;
	/**
	 * Number of running jobs, as far as this process knows, when the service rejected a request to
	 * start another job. The lowest number if that happened several times. The first rejection does
	 * not count, because it may only mean that requests were sent too fast.
	 */
	runningWhenFull?: number;
	/** Time when the service last accepted a request to start a job. */
	acceptedAt: number;
}

/**
 * Reason why a request that starts a job may be sent. `unlimited`: the account is not known to be
 * at its limit of running jobs. `freed`: a running job has ended. `bonus`: the service has accepted
 * a probe, so it will probably accept more jobs. `probe`: the request itself is a probe, which tests
 * whether the account can start another job.
 */
export type JobStartPermissionKind = 'unlimited' | 'freed' | 'bonus' | 'probe';

/**
 * Whether the service accepted a request to start a job, rejected it with 429, or sent a response
 * that shows neither.
 */
export type JobStartOutcome = 'accepted' | 'rejected' | 'unknown';

/**
 * Creates the initial record of an account's job capacity. The account is assumed to be below its
 * limit on running jobs.
 */
export const createJobCapacity = (): JobCapacity => ({
	free: 0,
	bonus: 0,
	unnoticed: 0,
	unnoticedUntil: 0,
	isProbing: false,
	nextProbe: 0,
	rejectedProbes: 0,
	growth: 1,
	running: 0,
	acceptedAt: 0,
});

/**
 * Maximum number of additional jobs that may start once the service has accepted a probe (a request
 * that tests whether another job can start). The number starts at 1 and doubles with each accepted
 * probe. If the service accepts one more probe after the number has reached its maximum, the
 * account is assumed to be below its limit again.
 */
const maxGrowth = 8;
/**
 * Longest pause between two probes (test requests), in milliseconds per job that is known to be
 * running. With more running jobs, fewer probes are needed, because the process sees these jobs end
 * in any case.
 */
const maxProbePause = 60_000;

/** Longest time, in milliseconds, between the end of a job and the poll that notices it. */
const maxNoticeDelay = 40_000;

/**
 * Returns the Unix time in milliseconds when a request to start a job may be sent. Returns
 * `Infinity` while a probe (a request that tests whether another job can start) is in flight.
 */
export function getNextJobStartTime(capacity: JobCapacity | undefined): number {
	if (capacity?.fullSince === undefined || capacity.free + capacity.bonus > 0) return 0;
	return capacity.isProbing ? Infinity : capacity.nextProbe;
}

/**
 * Permits a request to start a job, and reserves job capacity for the request. If the account is
 * not known to have capacity left, the request serves as a probe, which tests whether another job
 * can start. Returns the kind of permission and the remaining job capacity.
 */
export function reserveCapacityOrProbe(
	capacity: JobCapacity,
): [JobStartPermissionKind, JobCapacity] {
	if (capacity.fullSince === undefined) return ['unlimited', capacity];
	if (capacity.free > 0) return ['freed', { ...capacity, free: capacity.free - 1 }];
	if (capacity.bonus > 0) return ['bonus', { ...capacity, bonus: capacity.bonus - 1 }];
	return ['probe', { ...capacity, isProbing: true }];
}

/**
 * Returns how many jobs have ended without this process noticing (see `unnoticed` in JobCapacity).
 * Returns 0 if the count has expired.
 */
const getUnnoticed = ({ unnoticed, unnoticedUntil }: JobCapacity, now: number): number =>
	now < unnoticedUntil ? unnoticed : 0;

/**
 * Returns the number of rejected probes reduced by one, but at least 1. A probe is a request that
 * tests whether the account can start another job. One rejected probe fewer halves the pause before
 * the next one. Called when the capacity has changed. The pause is not reset completely, because
 * jobs will probably keep ending at similar intervals, and more probes would be rejected.
 */
const shortenPauses = (rejectedProbes: number): number => Math.max(rejectedProbes - 1, 1);

/**
 * Changes the count of jobs that have ended without this process noticing (see `unnoticed` in
 * JobCapacity), and postpones the time when the count expires.
 */
const countUnnoticed = (capacity: JobCapacity, change: number, now: number): JobCapacity => ({
	...capacity,
	unnoticed: getUnnoticed(capacity, now) + change,
	unnoticedUntil: now + maxNoticeDelay,
});

/** Returns an account's job capacity after the service has accepted a request to start a job. */
export function updateCapacityAfterAcceptance(
	capacity: JobCapacity,
	permission: JobStartPermissionKind,
	now: number,
): JobCapacity {
	if (permission === 'unlimited' || permission === 'freed') return { ...capacity, acceptedAt: now };
	const accepted = { ...countUnnoticed(capacity, 1, now), acceptedAt: now };
	if (permission === 'bonus') return accepted;
	const { growth, rejectedProbes, bonus } = capacity;
	// If the first probe is accepted, the requests were sent too fast: the account is not full.
	const isFull = rejectedProbes > 0 && growth <= maxGrowth;
	return {
		...accepted,
		isProbing: false,
		rejectedProbes: isFull ? shortenPauses(rejectedProbes) : 0,
		...(isFull
			? { bonus: bonus + growth, growth: growth * 2, nextProbe: now }
			: { fullSince: undefined, free: 0, bonus: 0, unnoticed: 0, growth: 1 }),
	};
}

/**
 * Returns an account's job capacity after the service has rejected a request to start a job.
 *
 * @param rejection.seconds length of the pause that the service asked for
 * @param rejection.random random number from 0 to 1 that varies the pause before the next probe
 */
export function updateCapacityAfterRejection(
	capacity: JobCapacity,
	permission: JobStartPermissionKind,
	rejection: { seconds: number; random: number },
	now: number,
): JobCapacity {
	const { fullSince, running, nextProbe } = capacity;
	const earliest = now + rejection.seconds * 1000;
	// Requests that were in flight together are rejected together. They count as one rejection.
	if (permission === 'unlimited' && fullSince !== undefined) {
		return { ...capacity, nextProbe: Math.max(nextProbe, earliest) };
	}
	const rejectedProbes = {
		unlimited: 0,
		probe: capacity.rejectedProbes + 1,
		bonus: capacity.rejectedProbes,
		freed: shortenPauses(capacity.rejectedProbes),
	}[permission];
	const longest = maxProbePause * Math.max(1, running);
	const backoff = Math.min(longest, 1000 * 2 ** Math.min(rejectedProbes, 20));
	// The service still counts the job that has ended, and those whose end made room for other
	// requests.
	const stillCounted = permission === 'freed' ? 1 + capacity.free : 0;
	return {
		...(stillCounted > 0 ? countUnnoticed(capacity, -stillCounted, now) : capacity),
		fullSince: fullSince ?? now,
		free: 0,
		bonus: 0,
		growth: 1,
		...(rejectedProbes === 0
			? {}
			: { runningWhenFull: Math.min(running, capacity.runningWhenFull ?? Infinity) }),
		isProbing: permission === 'probe' ? false : capacity.isProbing,
		rejectedProbes,
		nextProbe: Math.max(earliest, now + backoff * (0.5 + rejection.random / 2)),
	};
}

/**
 * Returns an account's job capacity after a request to start a job was neither accepted nor
 * rejected with 429. Other requests can use the capacity that was reserved for the request.
 */
export const releaseReservedCapacity = (
	capacity: JobCapacity,
	permission: JobStartPermissionKind,
): JobCapacity => ({
	...capacity,
	...(permission === 'probe' ? { isProbing: false } : {}),
	...(permission === 'freed' ? { free: capacity.free + 1 } : {}),
	...(permission === 'bonus' ? { bonus: capacity.bonus + 1 } : {}),
});

/**
 * Returns an account's job capacity after one of its jobs has ended.
 *
 * @param wasRunning whether the job was seen running after the account reached its limit. If not,
 * the job may have ended before the limit was reached, so it is unclear whether there is room. The
 * function then only allows an immediate probe (a request that tests whether another job can start)
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
		rejectedProbes: shortenPauses(capacity.rejectedProbes),
		nextProbe: Math.min(capacity.nextProbe, now),
	};
}

/**
 * Lets the next probe (a request that tests whether another job can start) be sent immediately.
 * Called when a request to start a job joins a queue that was empty: by then, the results of
 * earlier probes may be outdated.
 */
export const allowCapacityProbeNow = (capacity: JobCapacity, now: number): JobCapacity =>
	capacity.fullSince === undefined
		? capacity
		: { ...capacity, nextProbe: Math.min(capacity.nextProbe, now) };
