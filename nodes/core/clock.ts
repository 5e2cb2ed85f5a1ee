/** Provides the clock that all nodes use. Tests replace it so that they can advance time. */
import { sleep as sleepInN8n } from 'n8n-workflow';

/** Creates a clock with a `sleep` that a signal can abort. n8n 1's own `sleep` ignores signals. */
export const createClock = (sleep: typeof sleepInN8n) => ({
	/** Returns the current time in Unix milliseconds, for times that are stored or shown. */
	now: () => Date.now(),
	/** Returns the monotonic time in milliseconds. Subtract two values to measure a duration. */
	elapsed: () => performance.now(),
	/** Pauses for a number of milliseconds. Rejects if the signal aborts first. */
	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		const pause = sleep(milliseconds, signal);
		await (signal ? raceWithAbort(signal, pause) : pause);
	},
	/** Resolves once the event loop has run all work that was already queued. */
	tick: async (): Promise<void> => await sleep(0),
});

export const clock = createClock(sleepInN8n);

/** Returns a signal that aborts as soon as any of the given signals aborts. */
export const combineSignals = (...signals: ReadonlyArray<AbortSignal | undefined>): AbortSignal =>
	AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** Returns a promise's result. Throws the signal's reason if the signal aborts first. */
export async function raceWithAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
	let stop = () => {};
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(signal.reason as Error);
	});
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop);
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
