/**
 * The time that the nodes go by. All pauses and all looks at the time come through here, so that
 * tests can run the clock instead of waiting.
 */
import { sleep } from 'n8n-workflow';

export const clock = {
	/** Unix time in milliseconds. */
	now: () => Date.now(),
	/** Ends after so many milliseconds; rejects when the signal comes first. */
	sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> =>
		await sleep(milliseconds, signal),
	/** Ends a moment later, when what is due by now has been carried out. */
	tick: async (): Promise<void> => await sleep(0),
};
