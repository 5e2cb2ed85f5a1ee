export const plans = ['free', 'pro', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** What the workspace of all keys may do. */
export interface Workspace {
	/** On `free` there is no 4K and no voice training; some settings are for `enterprise` only. */
	plan: Plan;
	/** US dollars in the wallet; with none left, nothing that costs is started. */
	credit: number;
	/** Jobs that a trial includes; null when this is no trial. */
	trialJobs: number | null;
	/** Jobs that the usage quota includes; null when there is none. */
	quotaJobs: number | null;
	phoneVerified: boolean;
	/** Models of other vendors may be used. */
	otherVendors: boolean;
	/** Inline (base64) files are taken. */
	inlineFiles: boolean;
	/** The one brand kit that a locked brand policy allows. */
	lockedBrandKit: string | null;
	/** State of the customer's own encryption key; anything but `ready` keeps media out. */
	encryption: 'ready' | 'pending' | 'failed' | 'disabled' | 'unavailable';
	templateLimit: number;
	/** Workflow runs at the same time. */
	runsAtOnce: number;
}

/** Everything is allowed, until a test says otherwise. */
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
});
