/** Returns a new signal, which aborts with the first of the given ones. */
export const combineSignals = (...signals: ReadonlyArray<AbortSignal | undefined>): AbortSignal =>
	AbortSignal.any(signals.filter((signal) => signal !== undefined));

/** Returns the promise's result. Throws the signal's reason if the signal aborts first. */
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
