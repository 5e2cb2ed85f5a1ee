/**
 * Decides when a create request may be sent while the account runs its maximum number of jobs. Pure
 * functions for accountTraffic.ts.
 *
 * The service refuses such a create request with 429, like one that comes too fast, and accepts it
 * only after a running job has ended (docs/service.md, Rate limits and retries). So one create
 * request at a time probes while the others wait. For each job that is seen to end, one create
 * request goes at once.
 */

/** Limit on running jobs that a create request counts toward. */
export interface CapacityLimit {
	/** Name of the limit. All jobs that count together have the same. */
	name: string;
	/** Maximum number of seconds to wait while the service accepts no create. */
	maxWait: number;
}

/** Capacity of an account for the jobs of one limit. Times are Unix times in milliseconds. */
export interface JobCapacity {
	/**
	 * Time at which the service refused a create request. Undefined while the account is not known
	 * to be full.
	 */
	fullSince?: number;
	/** Number of create requests that may be sent without a probe, because jobs have ended. */
	free: number;
	/** Number of create requests that may be sent without a probe, because a probe was accepted. */
	bonus: number;
	/**
	 * Number of jobs that must have ended unnoticed, because the service accepted create requests
	 * that no noticed end had made room for. Their ends make no room again. Negative for jobs that
	 * have ended but still count in the service, because it refused a create request after their
	 * end.
	 */
	unnoticed: number;
	/**
	 * Time until which newly freed capacity is attributed to the jobs in `unnoticed`. After that,
	 * it is attributed to jobs of other processes.
	 */
	unnoticedUntil: number;
	/** Whether a probe is in flight. */
	isProbing: boolean;
	/** Earliest time of the next probe. */
	nextProbe: number;
	/** Number of probes that were refused since the last one that was accepted. */
	refusedProbes: number;
	/**
	 * Number of further create requests that may be sent once the next probe is accepted. It
	 * doubles with each accepted probe.
	 */
	growth: number;
	/** Number of running jobs that this process knows about. */
	running: number;
	/** Smallest number of known running jobs when a probe was refused. */
	runningWhenFull?: number;
	/** Time at which a create request was last accepted. */
	acceptedAt: number;
}

/**
 * Why a create request may be sent: the account is not known to be full, a job has ended, a probe
 * was accepted, or it is a probe.
 */
export type JobStartPermission = 'unlimited' | 'freed' | 'bonus' | 'probe';

/** What the reply to a create request shows about the capacity of the account. */
export type JobStartOutcome = 'accepted' | 'refused' | 'unknown';

/** Creates the capacity of an account that is not known to be full. */
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
 * Number of create requests that one accepted probe makes room for before the account counts as not
 * full.
 */
const maxGrowth = 8;
/**
 * Maximum pause between two probes in milliseconds, per running job that this process tracks. More
 * tracked jobs allow longer pauses, because the process notices when they end without probing.
 */
const maxProbePause = 60_000;

/** Longest time in milliseconds after which the end of a job is noticed by polling. */
const maxNoticeDelay = 40_000;

/**
 * Returns the Unix time in milliseconds at which a create request may be sent. `Infinity` while a
 * probe is in flight.
 */
export function getNextJobStartTime(capacity: JobCapacity | undefined): number {
	if (capacity?.fullSince === undefined || capacity.free + capacity.bonus > 0) return 0;
	return capacity.isProbing ? Infinity : capacity.nextProbe;
}

/**
 * Reserves capacity for a create request that is about to be sent. Returns the permission to send
 * it and the remaining capacity.
 */
export function reserveCapacity(capacity: JobCapacity): [JobStartPermission, JobCapacity] {
	if (capacity.fullSince === undefined) return ['unlimited', capacity];
	if (capacity.free > 0) return ['freed', { ...capacity, free: capacity.free - 1 }];
	if (capacity.bonus > 0) return ['bonus', { ...capacity, bonus: capacity.bonus - 1 }];
	return ['probe', { ...capacity, isProbing: true }];
}

/** Returns the number of jobs whose ends were unnoticed lately, see JobCapacity. */
const getUnnoticed = ({ unnoticed, unnoticedUntil }: JobCapacity, now: number): number =>
	now < unnoticedUntil ? unnoticed : 0;

/**
 * Returns the number of refused probes that counts after the capacity has changed: pauses become
 * half as long, because capacity that becomes free one by one takes as long each time. With a
 * quarter, one in four create requests is refused when many jobs end at different times.
 */
const shortenPauses = (refusedProbes: number): number => Math.max(refusedProbes - 1, 1);

/** Returns the capacity after the number of unnoticed ends has changed. */
const countUnnoticed = (capacity: JobCapacity, change: number, now: number): JobCapacity => ({
	...capacity,
	unnoticed: getUnnoticed(capacity, now) + change,
	unnoticedUntil: now + maxNoticeDelay,
});

/** Returns the capacity after a create request was accepted. */
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
 * Returns the capacity after a create request was refused.
 *
 * @param refusal.seconds pause that the service asked for
 * @param refusal.random number from 0 to 1
 */
export function updateCapacityAfterRefusal(
	capacity: JobCapacity,
	permission: JobStartPermission,
	refusal: { seconds: number; random: number },
	now: number,
): JobCapacity {
	const { fullSince, running, nextProbe } = capacity;
	const earliest = now + refusal.seconds * 1000;
	// Creates that were in flight together are refused together. They count once.
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
	// The service still counts the ended job, and those that would have allowed the next requests.
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
 * Returns the capacity after a create request whose reply says nothing about the capacity. Another
 * one may be sent in its place.
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
 * Returns the capacity after a job has ended.
 *
 * @param wasRunning whether the job was still running after the account became full. Otherwise it
 * may have ended before, so its end only allows a probe
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
	// The service counts ended jobs for a while. One probe shows whether it still does.
	return {
		...countUnnoticed(capacity, -1, now),
		refusedProbes: shortenPauses(capacity.refusedProbes),
		nextProbe: Math.min(capacity.nextProbe, now),
	};
}

/**
 * Returns the capacity when a create request begins to wait alone. What was learned before may be
 * outdated, so it may probe immediately.
 */
export const allowProbeNow = (capacity: JobCapacity, now: number): JobCapacity =>
	capacity.fullSince === undefined
		? capacity
		: { ...capacity, nextProbe: Math.min(capacity.nextProbe, now) };
