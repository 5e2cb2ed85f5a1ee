/**
 * Calculates when the wait node checks its jobs again, and stores the progress of the wait between
 * checks.
 */
import { createHash } from 'crypto';
import type { IContextObject, INodeExecutionData } from 'n8n-workflow';
import type { FailedReadStreak } from '../core/jobs/failedReads';
import { calculateGrowingPause } from '../core/jobs/waitForJob';
import { isObject, readText } from '../core/json';

/**
 * Shortest suspension in milliseconds. n8n looks for executions to resume only once a minute, so it
 * would resume a shorter suspension late.
 */
export const minSuspension = 65_000;

/**
 * Longest wait in milliseconds before the first suspension. Short jobs end within it, and need not wait
 * for the end of a suspension.
 */
export const maxFirstWait = 30_000;

/** Longest suspension in milliseconds. */
const maxSuspension = 300_000;

/**
 * Longest suspension in milliseconds during an outage. Shorter by the time that the node may need to
 * notice its end, so that all executions continue within the longest suspension.
 */
const maxOutageSuspension = 280_000;

/**
 * Returns the duration of the next suspension in milliseconds. Suspensions become longer over time,
 * because n8n records every check in the execution.
 *
 * @param waited milliseconds since the wait began
 */
export const calculateNextSuspension = (waited: number) =>
	calculateGrowingPause(waited, minSuspension, maxSuspension);

/**
 * Returns the duration of the next suspension in milliseconds while the service cannot be reached.
 * It is random, so that executions that were suspended together do not all continue at the same
 * moment after the outage.
 *
 * @param random number from 0 to 1
 */
export const calculateOutageSuspension = (waited: number, random: number) =>
	Math.max(
		minSuspension,
		Math.min(calculateNextSuspension(waited), maxOutageSuspension) * (0.5 + random / 2),
	);

const hash = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

/** Returns a hash of the job names that does not depend on their order. */
export const hashAwaitedJobs = (names: readonly string[]) => hash([...names].sort());

/** Returns a hash of the fields of items. */
export const hashItems = (items: readonly INodeExecutionData[]) =>
	hash(items.map(({ json }) => json));

/** Progress of a wait, stored between checks of its jobs. */
export interface WaitState {
	/** Unix time in milliseconds at which the wait began. */
	since: number;
	/** Number of completed checks of the jobs. Stored under the key `looks`. */
	checks: number;
	/** Checks that have failed since the last one that succeeded. */
	failed?: FailedReadStreak;
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
	const failed = isObject(state.failed) ? (state.failed as unknown as FailedReadStreak) : undefined;
	return { since: Number(state.since), checks: Number(state.looks), failed };
}

/** Stores the progress of the wait in the execution, where the next check reads it. */
export function saveWaitState(
	context: IContextObject,
	hash: string,
	{ since, checks, failed }: WaitState,
): void {
	context[waitStateKey] = { mark: hash, since, looks: checks, ...(failed && { failed }) };
}

/**
 * Deletes the stored progress of the wait. A later wait for the same jobs then starts from the
 * beginning.
 */
export function clearWaitState(context: IContextObject): void {
	delete context[waitStateKey];
}

const returnedItemsKey = 'videoGenWaitReturned';

/** Stores the hash of finished items that go to an output which leads back to the node. */
export function saveReturnedItems(context: IContextObject, itemsHash: string): void {
	context[returnedItemsKey] = itemsHash;
}

/** Returns the stored hash of finished items that come back to the node, and deletes it. */
export function takeReturnedItems(context: IContextObject): string | undefined {
	const itemsHash = readText(context[returnedItemsKey]);
	delete context[returnedItemsKey];
	return itemsHash;
}
