/** Limits what concurrent tasks use together, such as memory. */

/** Limit on the total amount that concurrent tasks use, in any unit. */
export interface Budget {
	limit: number;
	used: number;
	/** Tasks that wait for their amount to become free, in the order in which they start. */
	waiting: WaitingTask[];
}

interface WaitingTask {
	amount: number;
	start: () => void;
}

/** Creates a budget of which nothing is used yet. */
export const createBudget = (limit: number): Budget => ({ limit, used: 0, waiting: [] });

/** Starts the tasks at the front of the queue for which enough of the budget is free. */
function startNext(budget: Budget): void {
	for (;;) {
		const [next] = budget.waiting;
		if (!next || (budget.used > 0 && budget.used + next.amount > budget.limit)) return;
		budget.waiting.shift();
		budget.used += next.amount;
		next.start();
	}
}

/**
 * Runs a task as soon as enough of the budget is free. A task that needs more than the whole budget
 * runs alone.
 *
 * @param amount what the task uses while it runs, in the budget's unit
 * @throws the signal's reason if it aborts before the task starts
 */
export async function withBudget<T>(
	budget: Budget,
	amount: number,
	signal: AbortSignal,
	task: () => Promise<T>,
): Promise<T> {
	signal.throwIfAborted();
	await new Promise<void>((resolve, reject) => {
		const leave = () => {
			budget.waiting = budget.waiting.filter((one) => one !== waiting);
			startNext(budget);
			reject(signal.reason as Error);
		};
		const start = () => {
			signal.removeEventListener('abort', leave);
			resolve();
		};
		const waiting: WaitingTask = { amount, start };
		signal.addEventListener('abort', leave, { once: true });
		budget.waiting.push(waiting);
		startNext(budget);
	});
	try {
		return await task();
	} finally {
		budget.used -= amount;
		startNext(budget);
	}
}
