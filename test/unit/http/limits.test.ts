/** How many requests go at once. */
import {
	fixedConcurrency,
	nextConcurrency,
	createTraffic,
	concurrencyBounds,
} from '../../../nodes/core/http/concurrency';

test('tasks wait in order for a place, also when one fails', async () => {
	const slot = fixedConcurrency(2);
	const begun: number[] = [];
	let running = 0;
	let most = 0;
	await Promise.allSettled(
		[0, 1, 2, 3, 4].map(
			async (i) =>
				await slot(async () => {
					begun.push(i);
					most = Math.max(most, ++running);
					await new Promise((resolve) => setImmediate(resolve));
					running--;
					if (i === 1) throw new Error('no');
				}),
		),
	);
	expect(begun).toEqual([0, 1, 2, 3, 4]);
	expect(most).toBe(2);
});

describe('a limit that finds its own width', () => {
	const answer = { limited: false, full: true, milliseconds: 50, best: 50 };

	test('widens while answers come well and all places are taken, up to its bound', () => {
		expect(nextConcurrency(10, answer)).toBe(11);
		expect(nextConcurrency(10, { ...answer, full: false })).toBe(10);
		expect(nextConcurrency(concurrencyBounds.most, answer)).toBe(concurrencyBounds.most);
	});

	test('halves when the service says that it is too much, down to one', () => {
		expect(nextConcurrency(40, { ...answer, limited: true })).toBe(20);
		expect(nextConcurrency(1, { ...answer, limited: true })).toBe(1);
	});

	test('goes back a little when answers come far more slowly than the best one', () => {
		expect(nextConcurrency(40, { ...answer, milliseconds: 1000 })).toBe(39.5);
		expect(nextConcurrency(40, { ...answer, milliseconds: 200 })).toBe(41);
		expect(nextConcurrency(concurrencyBounds.first, { ...answer, milliseconds: 1000 })).toBe(
			concurrencyBounds.first,
		);
	});

	test('is shared by all who use it: nobody has more than all together', async () => {
		const shared = createTraffic();
		let running = 0;
		let most = 0;
		const task = async () => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setImmediate(resolve));
			running--;
		};
		await Promise.all(Array.from({ length: 50 }, async () => await shared.slot(task)));
		expect(most).toBe(concurrencyBounds.first);
		for (let i = 0; i < 3; i++) shared.answered({ limited: true, milliseconds: 5 });
		most = 0;
		await Promise.all(Array.from({ length: 50 }, async () => await shared.slot(task)));
		// Refusals of requests that were on their way together count once.
		expect(most).toBe(concurrencyBounds.first / 2);
	});
});
