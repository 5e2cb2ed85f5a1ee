import { getEventListeners } from 'node:events';
import { createMemoryBudget, withMemoryBudget } from '../../../nodes/core/files/memoryBudget';

const running = new AbortController().signal;

test('tasks hold bytes up to the limit; a task that needs more runs alone', async () => {
	const budget = createMemoryBudget(100);
	let most = 0;
	await Promise.all(
		[60, 60, 30, 200].map(
			async (bytes) =>
				await withMemoryBudget(budget, bytes, running, async () => {
					most = Math.max(most, budget.used);
					await new Promise((resolve) => setImmediate(resolve));
				}),
		),
	);
	expect(most).toBe(200);
	expect(budget.used).toBe(0);
	expect(getEventListeners(running, 'abort')).toHaveLength(0);
});

test('tasks that need exactly the limit together run together', async () => {
	const budget = createMemoryBudget(100);
	const used: number[] = [];
	const run = async () => {
		used.push(budget.used);
		await new Promise((resolve) => setImmediate(resolve));
	};
	await Promise.all(
		[60, 40].map(async (bytes) => await withMemoryBudget(budget, bytes, running, run)),
	);
	expect(used).toEqual([60, 100]);
});

test('a task whose execution is stopped while it waits does not run, and holds up no other', async () => {
	const budget = createMemoryBudget(100);
	let finish = () => undefined as void;
	const first = withMemoryBudget(budget, 80, running, async () => {
		await new Promise<void>((resolve) => (finish = resolve));
	});
	const stop = new AbortController();
	const task = jest.fn(async () => undefined);
	const stopped = withMemoryBudget(budget, 50, stop.signal, task);
	const next = withMemoryBudget(budget, 50, running, async () => 'next');
	stop.abort(new Error('stopped'));
	await expect(stopped).rejects.toThrow('stopped');
	finish();
	expect([await next, await first]).toEqual(['next', undefined]);
	expect(task).not.toHaveBeenCalled();
	expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
	expect(budget.used).toBe(0);
});
