/**
 * Calculates when the wait node checks its jobs again, and stores the progress of a wait between
 * these checks.
 */
import type { IContextObject, INodeExecutionData } from 'n8n-workflow';
import { createDigest } from '../core/digest';
import type { FailedReadStreak } from '../core/jobs/statusReadErrors';
import { calculateProportionalPause } from '../core/jobs/waitForJob';
import { isObject, readObject, readText } from '../core/json';

/**
 * Minimum time, in milliseconds, for which the node suspends an execution. n8n looks for executions
 * to resume only once a minute, so a shorter suspension would end late.
 */
export const minSuspension = 65_000;

/**
 * Number of milliseconds that the node waits for jobs before it suspends the execution for the
 * first time. Short jobs end within that time and are output immediately.
 */
export const maxWaitBeforeSuspension = 30_000;

/** Maximum time, in milliseconds, for which the node suspends an execution. */
const maxSuspension = 300_000;

/**
 * Maximum time, in milliseconds, for which the node suspends an execution while the service is
 * unavailable. It leaves up to 20 seconds for a status check to notice that the outage has ended.
 * All executions therefore continue within 5 minutes after the outage.
 */
const maxOutageSuspension = 280_000;

/**
 * Returns how long to suspend the execution until the next check, in milliseconds. The longer the
 * wait has lasted, the longer the suspension. This limits the number of checks, because n8n stores
 * each check in the execution.
 *
 * @param waited milliseconds since the wait began
 */
export const calculateNextSuspension = (waited: number) =>
	calculateProportionalPause(waited, minSuspension, maxSuspension);

/**
 * Returns how long to suspend the execution until the next check, in milliseconds, while the
 * service is unavailable. The duration is random, so that executions suspended at the same time do
 * not all resume at the same moment.
 *
 * @param waited milliseconds since the wait began
 * @param random number from 0 to 1
 */
export const calculateOutageSuspension = (waited: number, random: number) =>
	Math.max(
		minSuspension,
		Math.min(calculateNextSuspension(waited), maxOutageSuspension) * (0.5 + random / 2),
	);

const hash = (value: unknown) => createDigest(JSON.stringify(value)).slice(0, 32);

/** Returns a hash of the jobs' kinds and IDs that does not depend on the order of the jobs. */
export const hashAwaitedJobs = (names: readonly string[]) => hash([...names].sort());

/** Returns a hash of the items' JSON. */
export const hashItems = (items: readonly INodeExecutionData[]) =>
	hash(items.map(({ json }) => json));

/** Progress of a wait, stored in the execution between status checks. */
export interface WaitState {
	/** When the wait began, in Unix milliseconds. */
	since: number;
	/** Number of times that the node has checked the jobs so far. Stored under the key `looks`. */
	checks: number;
	/** Record of the status checks that have failed since the last successful one. */
	failedReads?: FailedReadStreak;
	/**
	 * ID of the execution in which the wait ended with an error. If n8n retries the node there, the
	 * wait continues. A later execution starts a new wait.
	 */
	failedIn?: string;
}

const waitStateKey = 'videoGenWait';

/**
 * Returns the stored progress of the wait for these jobs, or the initial progress of a new wait if
 * none is stored.
 *
 * @param hash hash of the jobs' kinds and IDs
 * @param executionId ID of the current execution
 * @param now Unix time in milliseconds
 */
export function readWaitState(
	context: IContextObject,
	hash: string,
	executionId: string,
	now: number,
): WaitState {
	const state = context[waitStateKey];
	const isOwn = isObject(state) && state.mark === hash;
	if (!isOwn || (state.failedIn ?? executionId) !== executionId) return { since: now, checks: 0 };
	const failedReads = isObject(state.failed)
		? (state.failed as unknown as FailedReadStreak)
		: undefined;
	return { since: Number(state.since), checks: Number(state.looks), failedReads };
}

/** Stores the wait's progress in the execution, so that the next check can read it. */
export function saveWaitState(
	context: IContextObject,
	hash: string,
	{ since, checks, failedReads, failedIn }: WaitState,
): void {
	context[waitStateKey] = {
		mark: hash,
		since,
		looks: checks,
		...(failedReads && { failed: failedReads }),
		...(failedIn !== undefined && { failedIn }),
	};
}

/**
 * Deletes the wait's stored progress. A later wait for the same jobs then starts from the
 * beginning.
 */
export function clearWaitState(context: IContextObject): void {
	delete context[waitStateKey];
}

const returnedItemsKey = 'videoGenWaitReturned';

/**
 * Stores a hash of the finished items, so that the node recognizes these items if a loop in the
 * workflow sends them back to it.
 */
export function saveFinishedItemsHash(
	context: IContextObject,
	finished: readonly INodeExecutionData[],
): void {
	context[returnedItemsKey] = hashItems(finished);
}

/**
 * Returns whether the items are the finished items that the node has just output. Deletes the stored
 * hash.
 */
export function detectReturnedItems(
	context: IContextObject,
	items: readonly INodeExecutionData[],
): boolean {
	const { [returnedItemsKey]: itemsHash } = context;
	delete context[returnedItemsKey];
	return itemsHash !== undefined && itemsHash === hashItems(items);
}

const returnedErrorsKey = 'videoGenWaitErrors';

/**
 * Time, in milliseconds, within which error items that return to the node's input count as an
 * endless loop. If they return later, the loop contains a pause, and the node waits for their jobs
 * again.
 */
const maxReturnTime = 60_000;

/**
 * Whether an item's error is a timeout of the wait. The item's job was still running, so the node
 * can wait for that job again.
 */
const isTimeout = ({ json }: INodeExecutionData) =>
	readObject(json.details).code === 'wait_timeout';

const hashErrors = (items: readonly INodeExecutionData[]) =>
	hash(items.map(({ json }) => readText(json.error)));

/**
 * Stores a hash of the errors among the finished items, so that the node recognizes these items if
 * the error output is connected back to its input. Items whose wait timed out are left out, because
 * the node can wait for their jobs again.
 *
 * @param now Unix time in milliseconds
 */
export function saveErrorItemsHash(
	context: IContextObject,
	finished: readonly INodeExecutionData[],
	now: number,
): void {
	// A finished job may have an empty `error`.
	const failed = finished.filter((item) => readText(item.json.error) && !isTimeout(item));
	if (failed.length > 0) context[returnedErrorsKey] = { mark: hashErrors(failed), at: now };
}

/**
 * Returns whether the input items are errors that the node has just output. Waiting for their jobs
 * again would produce the same errors in an endless loop. Deletes the stored hash of the errors.
 *
 * @param now Unix time in milliseconds
 */
export function detectReturnedErrors(
	context: IContextObject,
	items: readonly INodeExecutionData[],
	now: number,
): boolean {
	const { mark, at } = readObject(context[returnedErrorsKey]);
	delete context[returnedErrorsKey];
	return mark === hashErrors(items) && now - Number(at) < maxReturnTime;
}
