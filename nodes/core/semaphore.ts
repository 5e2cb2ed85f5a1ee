/** Limits the total amount of something, such as memory, that concurrent tasks use. */

/** Any unit, such as bytes. */
export interface Semaphore {
	limit: number;
	used: number;
	/** Tasks for which too little is free. They start in this order. */
	waiting: WaitingTask[];
}

interface WaitingTask {
	amount: number;
	start: () => void;
}

export const createSemaphore = (limit: number): Semaphore => ({ limit, used: 0, waiting: [] });

function startNext(semaphore: Semaphore): void {
	for (;;) {
		const [next] = semaphore.waiting;
		if (!next || (semaphore.used > 0 && semaphore.used + next.amount > semaphore.limit)) return;
		semaphore.waiting.shift();
		semaphore.used += next.amount;
		next.start();
	}
}

/**
 * Runs a task once enough of the limit is free. One that needs more than the limit runs alone.
 *
 * @param amount in the unit of the limit
 * @throws the signal's reason if it aborts before the task starts
 */
export async function runWithSemaphore<T>(
	semaphore: Semaphore,
	amount: number,
	signal: AbortSignal,
	task: () => Promise<T>,
): Promise<T> {
	signal.throwIfAborted();
	await new Promise<void>((resolve, reject) => {
		const leave = () => {
			semaphore.waiting = semaphore.waiting.filter((one) => one !== waiting);
			startNext(semaphore);
			reject(signal.reason as Error);
		};
		const start = () => {
			signal.removeEventListener('abort', leave);
			resolve();
		};
		const waiting: WaitingTask = { amount, start };
		signal.addEventListener('abort', leave, { once: true });
		semaphore.waiting.push(waiting);
		startNext(semaphore);
	});
	try {
		return await task();
	} finally {
		semaphore.used -= amount;
		startNext(semaphore);
	}
}
