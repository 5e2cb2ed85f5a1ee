/**
 * Clock that all nodes use to read the current time and to pause. Tests replace this clock, so that
 * they can advance the time instead of waiting.
 */
import { sleep } from 'n8n-workflow';

export const clock = {
	/** Current Unix time in milliseconds. */
	now: () => Date.now(),
	/** Resolves after the given number of milliseconds. Rejects if the signal aborts first. */
	sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> =>
		await sleep(milliseconds, signal),
	/** Resolves once the event loop has run all work that was already queued. */
	tick: async (): Promise<void> => await sleep(0),
};
