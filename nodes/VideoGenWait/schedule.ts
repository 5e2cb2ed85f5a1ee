/** When a suspended wait checks its jobs again, and what it keeps until then. Pure. */
import { createHash } from 'crypto';
import type { IContextObject } from 'n8n-workflow';
import { backOff } from '../core/jobs/waitForJob';
import { isObject } from '../core/json';

/**
 * Milliseconds of the shortest suspension. n8n looks for executions to resume once a minute, so it
 * would resume shorter ones late.
 */
export const minSuspension = 65_000;

/** Milliseconds of the longest suspension. */
const maxSuspension = 300_000;

/**
 * Milliseconds until the next check. Pauses grow, because n8n records every check in the execution.
 *
 * @param waited milliseconds since the wait began
 */
export const nextSuspension = (waited: number) => backOff(waited, minSuspension, maxSuspension);

/** A hash of the names of jobs, in any order. */
export const hashJobNames = (names: readonly string[]) =>
	createHash('sha256')
		.update(JSON.stringify([...names].sort()))
		.digest('hex')
		.slice(0, 32);

/** What a wait keeps between its checks. */
export interface WaitState {
	/** When the wait began: Unix time in milliseconds. */
	since: number;
	/** Number of checks so far. */
	looks: number;
}

const waitStateKey = 'videoGenWait';

/** The state of the current wait for these jobs, or of a new one. */
export function readWaitState(context: IContextObject, hash: string, now: number): WaitState {
	const state = context[waitStateKey];
	if (!isObject(state) || state.mark !== hash) return { since: now, looks: 0 };
	return { since: Number(state.since), looks: Number(state.looks) };
}

/** Keeps the state in the execution, for the next check. */
export function saveWaitState(
	context: IContextObject,
	hash: string,
	{ since, looks }: WaitState,
): void {
	context[waitStateKey] = { mark: hash, since, looks };
}

/** Ends the wait: if the same jobs come again, a new wait begins. */
export function clearWaitState(context: IContextObject): void {
	delete context[waitStateKey];
}
