/**
 * Clock of the nodes. All pauses and times use it, so that tests can advance the clock instead of
 * waiting.
 */
import { sleep } from 'n8n-workflow';

export const clock = {
	/** Current Unix time in milliseconds. */
	now: () => Date.now(),
	/** Resolves after a number of milliseconds. Rejects if the signal aborts first. */
	sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> =>
		await sleep(milliseconds, signal),
	/** Resolves after the work that is already queued. */
	tick: async (): Promise<void> => await sleep(0),
};
