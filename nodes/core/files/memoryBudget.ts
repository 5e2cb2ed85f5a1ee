/** A limit on the bytes that tasks hold in memory at the same time. */
export interface MemoryBudget {
	limit: number;
	used: number;
	/** Resume the tasks that wait for free memory. */
	waiting: Array<() => void>;
}

/** An unused budget of that many bytes. */
export const createMemoryBudget = (limit: number): MemoryBudget => ({
	limit,
	used: 0,
	waiting: [],
});

/**
 * Runs a task that holds that many bytes in memory as soon as they are free. A task that needs more
 * than the limit runs alone.
 */
export async function withMemoryBudget<T>(
	budget: MemoryBudget,
	bytes: number,
	task: () => Promise<T>,
): Promise<T> {
	while (budget.used > 0 && budget.used + bytes > budget.limit) {
		await new Promise<void>((resolve) => budget.waiting.push(resolve));
	}
	budget.used += bytes;
	try {
		return await task();
	} finally {
		budget.used -= bytes;
		for (const resume of budget.waiting.splice(0)) resume();
	}
}
