/**
 * Returns a function that runs a task as soon as enough of a limited resource, such as memory, is
 * free. A task that needs more than the limit runs alone.
 *
 * @param limit total that concurrent tasks may use, in any unit, such as bytes
 */
export function createSemaphore(limit: number) {
	let used = 0;
	/** Waiting tasks, in the order in which they will start. */
	let waiting: Array<{ amount: number; start: () => void }> = [];

	function startNext(): void {
		for (;;) {
			const [next] = waiting;
			if (!next || (used > 0 && used + next.amount > limit)) return;
			waiting.shift();
			used += next.amount;
			next.start();
		}
	}

	/** Runs a task once enough is free. Throws the signal's reason if the signal aborts first. */
	return async <T>(amount: number, signal: AbortSignal, task: () => Promise<T>): Promise<T> => {
		signal.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const leave = () => {
				waiting = waiting.filter((one) => one !== own);
				startNext();
				reject(signal.reason as Error);
			};
			const start = () => {
				signal.removeEventListener('abort', leave);
				resolve();
			};
			const own = { amount, start };
			signal.addEventListener('abort', leave, { once: true });
			waiting.push(own);
			startNext();
		});
		try {
			return await task();
		} finally {
			used -= amount;
			startNext();
		}
	};
}
