export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** Plan, credit and limits of the workspace that all keys share. */
export interface Workspace {
	/** `free` has no 4K and no voice training. Some options need `enterprise`. */
	plan: Plan;
	/** US dollars in the wallet. At 0, paid requests return 402. */
	credit: number;
	/** Number of jobs in the trial; null for a paid account. */
	trialJobs: number | null;
	/** Number of jobs in the usage quota; null for no quota. */
	quotaJobs: number | null;
	phoneVerified: boolean;
	/** Whether models of other vendors are allowed. */
	otherVendors: boolean;
	/** Whether inline (base64) files are allowed. */
	inlineFiles: boolean;
	/** The only brand kit that a locked brand policy allows. */
	lockedBrandKit: string | null;
	/** State of the customer's encryption key. Only `ready` allows media. */
	encryption: 'ready' | 'pending' | 'failed' | 'disabled' | 'unavailable';
	templateLimit: number;
	/** Limit of concurrent workflow runs. */
	runsAtOnce: number;
	/** Limit of videos, agent sessions and translations that run at the same time, together. */
	jobsAtOnce: number;
	/** Whether a rejected create uses up its key, so that a repeat gets the same rejection. */
	keepsRejections: boolean;
	/** Limit of concurrent realtime avatars. */
	streamsAtOnce: number;
	/** Whether the legacy routes still exist. */
	hasLegacyRoutes: boolean;
	/** `Retry-After` in seconds of the 429 above these two limits; null sends none. */
	capacityRetryAfter: number | null;
}

export const createUnrestrictedWorkspace = (): Workspace => ({
	plan: 'enterprise',
	credit: 100,
	trialJobs: null,
	quotaJobs: null,
	phoneVerified: true,
	otherVendors: true,
	inlineFiles: true,
	lockedBrandKit: null,
	encryption: 'ready',
	templateLimit: 2000,
	runsAtOnce: 10,
	jobsAtOnce: 10,
	keepsRejections: false,
	streamsAtOnce: 3,
	hasLegacyRoutes: true,
	capacityRetryAfter: 1,
});
