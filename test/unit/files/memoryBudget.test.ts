import { createMemoryBudget, withMemoryBudget } from '../../../nodes/core/files/memoryBudget';

test('tasks hold bytes up to the limit; a task that needs more runs alone', async () => {
	const budget = createMemoryBudget(100);
	let most = 0;
	await Promise.all(
		[60, 60, 30, 200].map(
			async (bytes) =>
				await withMemoryBudget(budget, bytes, async () => {
					most = Math.max(most, budget.used);
					await new Promise((resolve) => setImmediate(resolve));
				}),
		),
	);
	expect(most).toBe(200);
	expect(budget.used).toBe(0);
});
