/** Limits the total amount of something, such as memory, that concurrent tasks use. */

/**
 * Limit on the total amount that concurrent tasks may use at the same time. The amount can be in
 * any unit, such as bytes.
 */
export interface Budget {
	limit: number;
	used: number;
	/**
	 * Tasks that cannot start yet, because too little of the budget is free. They start in this
	 * order.
	 */
	waiting: WaitingTask[];
}

interface WaitingTask {
	amount: number;
	start: () => void;
}

/** Creates a budget with the given limit. Initially, all of it is free. */
export const createBudget = (limit: number): Budget => ({ limit, used: 0, waiting: [] });

/** Starts waiting tasks in their order, until too little of the budget is free for the next one. */
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
export async function runWhenBudgetAllows<T>(
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
