/**
 * Decides when a create may be sent while the account runs as many jobs as it may. Pure functions
 * for accountTraffic.ts.
 *
 * The service refuses such a create with 429, like one that comes too fast, and accepts it only
 * after a running job has ended (docs/service.md, Rate limits and retries). So one create at a time
 * probes while the others wait. For each job that is seen to end, one create goes at once.
 */

/** Limit of running jobs that a create counts for. */
export interface CapacityLimit {
	/** Name of the limit. All jobs that count together have the same. */
	name: string;
	/** Maximum number of seconds to wait while the service accepts no create. */
	maxWait: number;
}

/** Capacity of an account for the jobs of one limit. Times are Unix times in milliseconds. */
export interface JobCapacity {
	/** Time at which the service refused a create. Undefined while the account is not known to be full. */
	fullSince?: number;
	/** Number of creates that may be sent without a probe, because jobs have ended. */
	free: number;
	/** Whether a probe is in flight. */
	isProbing: boolean;
	/** Earliest time of the next probe. */
	nextProbe: number;
	/** Number of probes that were refused since the last one that was accepted. */
	refusedProbes: number;
	/** Number of creates that the next accepted probe makes room for. */
	growth: number;
	/** Number of running jobs that this process knows. */
	running: number;
	/** Time at which a create was last accepted. */
	acceptedAt: number;
}

/**
 * Why a create may be sent: the account is not known to be full, a job has ended, or it is a probe.
 */
export type CreatePermission = 'unlimited' | 'freed' | 'probe';

/** What the reply to a create shows about the capacity of the account. */
export type CreateOutcome = 'accepted' | 'refused' | 'unknown';

/** Creates the capacity of an account that is not known to be full. */
export const createJobCapacity = (): JobCapacity => ({
	free: 0,
	isProbing: false,
	nextProbe: 0,
	refusedProbes: 0,
	growth: 1,
	running: 0,
	acceptedAt: 0,
});

/** Number of creates that one accepted probe makes room for before the account counts as not full. */
const maxGrowth = 8;
/**
 * Longest pause between two probes in milliseconds, for each running job that this process knows:
 * their end is noticed without a probe.
 */
const maxProbePause = 60_000;

/**
 * Returns the Unix time in milliseconds at which a create may be sent. `Infinity` while a probe is
 * in flight.
 */
export function getNextCreateTime(capacity: JobCapacity | undefined): number {
	if (capacity?.fullSince === undefined || capacity.free > 0) return 0;
	return capacity.isProbing ? Infinity : capacity.nextProbe;
}

/** Returns why a create may be sent now, and the capacity after that. */
export function takeCapacity(capacity: JobCapacity): [CreatePermission, JobCapacity] {
	if (capacity.fullSince === undefined) return ['unlimited', capacity];
	if (capacity.free > 0) return ['freed', { ...capacity, free: capacity.free - 1 }];
	return ['probe', { ...capacity, isProbing: true }];
}

/** Returns the capacity after a create was accepted. */
export function acceptCreate(
	capacity: JobCapacity,
	permission: CreatePermission,
	now: number,
): JobCapacity {
	const accepted = { ...capacity, acceptedAt: now };
	if (permission !== 'probe') return accepted;
	const { growth, refusedProbes, free } = capacity;
	// An accepted first probe shows that the requests came too fast: the account is not full.
	const isFull = refusedProbes > 0 && growth <= maxGrowth;
	return {
		...accepted,
		isProbing: false,
		// The next refusal is no surprise, but the pauses begin anew.
		refusedProbes: isFull ? 1 : 0,
		...(isFull
			? { free: free + growth, growth: growth * 2, nextProbe: now }
			: { fullSince: undefined, free: 0, growth: 1 }),
	};
}

/**
 * Returns the capacity after a create was refused.
 *
 * @param refusal.seconds pause that the service asked for
 * @param refusal.random number from 0 to 1
 */
export function refuseCreate(
	capacity: JobCapacity,
	permission: CreatePermission,
	refusal: { seconds: number; random: number },
	now: number,
): JobCapacity {
	const { fullSince, running, nextProbe } = capacity;
	const earliest = now + refusal.seconds * 1000;
	// Creates that were in flight together are refused together. They count once.
	if (permission === 'unlimited' && fullSince !== undefined) {
		return { ...capacity, nextProbe: Math.max(nextProbe, earliest) };
	}
	const refusedProbes = permission === 'unlimited' ? 0 : capacity.refusedProbes + 1;
	const longest = maxProbePause * Math.max(1, running);
	const backoff = Math.min(longest, 1000 * 2 ** Math.min(refusedProbes, 20));
	return {
		...capacity,
		fullSince: fullSince ?? now,
		free: 0,
		growth: 1,
		isProbing: permission === 'probe' ? false : capacity.isProbing,
		refusedProbes,
		nextProbe: Math.max(earliest, now + backoff * (0.5 + refusal.random / 2)),
	};
}

/** Returns the capacity after a create whose reply shows nothing: another one may be sent. */
export const returnCapacity = (
	capacity: JobCapacity,
	permission: CreatePermission,
): JobCapacity => ({
	...capacity,
	...(permission === 'probe' ? { isProbing: false } : {}),
	...(permission === 'freed' ? { free: capacity.free + 1 } : {}),
});

/**
 * Returns the capacity after a job has ended.
 *
 * @param wasRunning whether the job was still running after the account became full. Otherwise it
 * may have ended before, so its end only allows a probe
 */
export function freeCapacity(capacity: JobCapacity, wasRunning: boolean, now: number): JobCapacity {
	if (capacity.fullSince === undefined) return capacity;
	return wasRunning
		? { ...capacity, free: capacity.free + 1 }
		: { ...capacity, nextProbe: Math.min(capacity.nextProbe, now) };
}
