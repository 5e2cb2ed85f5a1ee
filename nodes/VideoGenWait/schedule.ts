/**
 * Calculates when the wait node checks its jobs again, and stores the progress of the wait between
 * checks.
 */
import { createHash } from 'crypto';
import type { IContextObject } from 'n8n-workflow';
import { calculateGrowingPause } from '../core/jobs/waitForJob';
import { isObject } from '../core/json';

/**
 * Shortest suspension in milliseconds. n8n looks for executions to resume only once a minute, so it
 * would resume a shorter suspension late.
 */
export const minSuspension = 65_000;

/** Longest suspension in milliseconds. */
const maxSuspension = 300_000;

/**
 * Returns the duration of the next suspension in milliseconds. Suspensions become longer over time,
 * because n8n records every check in the execution.
 *
 * @param waited milliseconds since the wait began
 */
export const calculateNextSuspension = (waited: number) =>
	calculateGrowingPause(waited, minSuspension, maxSuspension);

/** Returns a hash of the job names that does not depend on their order. */
export const hashAwaitedJobs = (names: readonly string[]) =>
	createHash('sha256')
		.update(JSON.stringify([...names].sort()))
		.digest('hex')
		.slice(0, 32);

/** Progress of a wait, stored between checks of its jobs. */
export interface WaitState {
	/** Unix time in milliseconds at which the wait began. */
	since: number;
	/** Number of completed checks of the jobs. Stored under the key `looks`. */
	checks: number;
}

const waitStateKey = 'videoGenWait';

/**
 * Returns the stored progress of the wait for these jobs, or the state of a new wait if none is
 * stored.
 *
 * @param hash hash of the job names
 * @param now Unix time in milliseconds
 */
export function readWaitState(context: IContextObject, hash: string, now: number): WaitState {
	const state = context[waitStateKey];
	if (!isObject(state) || state.mark !== hash) return { since: now, checks: 0 };
	return { since: Number(state.since), checks: Number(state.looks) };
}

/** Stores the progress of the wait in the execution, where the next check reads it. */
export function saveWaitState(
	context: IContextObject,
	hash: string,
	{ since, checks }: WaitState,
): void {
	context[waitStateKey] = { mark: hash, since, looks: checks };
}

/**
 * Deletes the stored progress of the wait. A later wait for the same jobs then starts from the
 * beginning.
 */
export function clearWaitState(context: IContextObject): void {
	delete context[waitStateKey];
}
