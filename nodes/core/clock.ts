/**
 * The clock of the nodes. All pauses and times come from here, so that tests can move the clock
 * instead of waiting.
 */
import { sleep } from 'n8n-workflow';

export const clock = {
	/** Unix time in milliseconds. */
	now: () => Date.now(),
	/** Resolves after that many milliseconds; rejects if the signal aborts first. */
	sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> =>
		await sleep(milliseconds, signal),
	/** Resolves after the work that is due now. */
	tick: async (): Promise<void> => await sleep(0),
};
