/**
 * Calculates when a suspended execution checks its jobs, and stores the state of the wait between
 * checks. Pure functions except for the stored state.
 */
import { createHash } from 'crypto';
import type { IContextObject } from 'n8n-workflow';
import { calculatePause } from '../core/jobs/waitForJob';
import { isObject } from '../core/json';

/**
 * Shortest suspension in milliseconds. n8n checks once a minute for executions to resume, so it
 * would resume shorter suspensions late.
 */
export const minSuspension = 65_000;

/** Longest suspension in milliseconds. */
const maxSuspension = 300_000;

/**
 * Calculates the milliseconds until the next check. Suspensions grow longer, because n8n records
 * every check in the execution.
 *
 * @param waited milliseconds since the wait began
 */
export const calculateNextSuspension = (waited: number) =>
	calculatePause(waited, minSuspension, maxSuspension);

/** Hashes job names, regardless of their order. */
export const hashAwaitedJobs = (names: readonly string[]) =>
	createHash('sha256')
		.update(JSON.stringify([...names].sort()))
		.digest('hex')
		.slice(0, 32);

/** State of a wait that is kept between checks. */
export interface WaitState {
	/** Unix time in milliseconds at which the wait began. */
	since: number;
	/** Number of completed checks. Stored as `looks`. */
	checks: number;
}

const waitStateKey = 'videoGenWait';

/**
 * Reads the state of the current wait for these jobs, or starts a new one.
 *
 * @param hash hash of the job names
 * @param now Unix time in milliseconds
 */
export function readWaitState(context: IContextObject, hash: string, now: number): WaitState {
	const state = context[waitStateKey];
	if (!isObject(state) || state.mark !== hash) return { since: now, checks: 0 };
	return { since: Number(state.since), checks: Number(state.looks) };
}

/** Stores the state of the wait in the execution. */
export function saveWaitState(
	context: IContextObject,
	hash: string,
	{ since, checks }: WaitState,
): void {
	context[waitStateKey] = { mark: hash, since, looks: checks };
}

/**
 * Deletes the state of the wait, so that a later wait for the same jobs starts from the beginning.
 */
export function clearWaitState(context: IContextObject): void {
	delete context[waitStateKey];
}
