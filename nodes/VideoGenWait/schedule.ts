/** When a wait looks again, and when it ends. Pure. */
import { createHash } from 'crypto';
import type { IContextObject } from 'n8n-workflow';
import { isObject } from '../core/json';

/**
 * Shorter waits are not suspended (milliseconds): n8n looks once a minute which executions are due,
 * and would wake these late.
 */
export const minSuspension = 65_000;

/** Looks are never spaced further apart than this (milliseconds). */
const maxSuspension = 300_000;

/**
 * Milliseconds before the next look: a third of the time that was waited so far, so that the many
 * looks of a long wait do not fill n8n's record of the execution.
 *
 * @param waited milliseconds since the wait began
 */
export const nextSuspension = (waited: number) =>
	Math.min(Math.max(waited / 3, minSuspension), maxSuspension);

/** Stands for these jobs, whatever their order. */
export const hashJobNames = (names: readonly string[]) =>
	createHash('sha256')
		.update(JSON.stringify([...names].sort()))
		.digest('hex')
		.slice(0, 32);

/** What a wait keeps between its looks. */
export interface WaitState {
	/** Unix time in milliseconds. */
	since: number;
	/** Looks so far. */
	looks: number;
}

const waitStateKey = 'videoGenWait';

/** The wait for these jobs that is under way; else a new one. */
export function readWaitState(context: IContextObject, mark: string, now: number): WaitState {
	const kept = context[waitStateKey];
	if (!isObject(kept) || kept.mark !== mark) return { since: now, looks: 0 };
	return { since: Number(kept.since), looks: Number(kept.looks) };
}

/** Keeps it in the execution, for the next look. */
export function saveWaitState(
	context: IContextObject,
	mark: string,
	{ since, looks }: WaitState,
): void {
	context[waitStateKey] = { mark, since, looks };
}

/** The wait is over: should the same jobs come again, they are waited for anew. */
export function clearWaitState(context: IContextObject): void {
	delete context[waitStateKey];
}
