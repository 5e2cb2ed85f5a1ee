/**
 * Clock that all nodes use to read the current time and to pause. Tests replace this clock, so that
 * they can advance the time instead of waiting.
 */
import { sleep as sleepInN8n } from 'n8n-workflow';
import { raceWithAbort } from './abort';

/**
 * Creates a clock whose pauses end as soon as a signal aborts. This also works on n8n 1, where
 * n8n's own `sleep` ignores the signal.
 */
export const createClock = (sleep: typeof sleepInN8n) => ({
	/** Current Unix time in milliseconds, for times that are stored or shown. */
	now: () => Date.now(),
	/**
	 * Milliseconds of a clock that nobody sets, for durations within this process. Only differences
	 * between two of its times have a meaning.
	 */
	elapsed: () => performance.now(),
	/** Resolves after the given number of milliseconds. Rejects if the signal aborts first. */
	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		const pause = sleep(milliseconds, signal);
		await (signal ? raceWithAbort(signal, pause) : pause);
	},
	/** Resolves once the event loop has run all work that was already queued. */
	tick: async (): Promise<void> => await sleep(0),
});

export const clock = createClock(sleepInN8n);
