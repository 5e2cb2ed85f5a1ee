/** Limit on the number of bytes that concurrent tasks hold in memory. */
export interface MemoryBudget {
	limit: number;
	used: number;
	/**
	 * Callbacks of tasks that are waiting for free memory. Each one makes its task check again
	 * whether there is enough.
	 */
	waiting: Array<() => void>;
}

/** Creates a memory budget of `limit` bytes. */
export const createMemoryBudget = (limit: number): MemoryBudget => ({
	limit,
	used: 0,
	waiting: [],
});

/**
 * Waits until the budget has enough free memory for a task, and then runs it. A task that needs
 * more than the whole budget runs alone.
 *
 * @throws the signal's reason if it aborts before the task starts
 */
export async function withMemoryBudget<T>(
	budget: MemoryBudget,
	bytes: number,
	signal: AbortSignal,
	task: () => Promise<T>,
): Promise<T> {
	while (!signal.aborted && budget.used > 0 && budget.used + bytes > budget.limit) {
		await new Promise<void>((resolve) => {
			const resume = () => {
				signal.removeEventListener('abort', resume);
				resolve();
			};
			signal.addEventListener('abort', resume);
			budget.waiting.push(resume);
		});
	}
	signal.throwIfAborted();
	budget.used += bytes;
	try {
		return await task();
	} finally {
		budget.used -= bytes;
		for (const resume of budget.waiting.splice(0)) resume();
	}
}
