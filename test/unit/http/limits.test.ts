/** How many requests go at once, and how many in a minute. */
import {
	atOnce,
	holding,
	nextSending,
	nextWidth,
	traffic,
	widths,
} from '../../../nodes/core/http/limits';

test('as many as fit into a minute go at once; the next waits for the oldest to leave it', () => {
	let times: readonly number[] = [];
	for (let i = 0; i < 3; i++) times = nextSending(times, 3, 1_000);
	expect(times).toEqual([1_000, 1_000, 1_000]);
	times = nextSending(times, 3, 2_000);
	expect(times[times.length - 1]).toBe(62_000);
	expect(nextSending(times, 3, 70_000).at(-1)).toBe(70_000);
});

test('no more times are kept than are looked at', () => {
	let times: readonly number[] = [];
	for (let i = 0; i < 100; i++) times = nextSending(times, 5, i * 100_000);
	expect(times).toHaveLength(5);
});

test('tasks wait in order for a place, also when one fails', async () => {
	const slot = atOnce(2);
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

test('bytes are held up to a limit; what is larger than it goes alone', async () => {
	const held = { bytes: 0, waiting: new Set<() => void>() };
	let most = 0;
	await Promise.all(
		[60, 60, 30, 200].map(
			async (bytes) =>
				await holding(held, 100, bytes, async () => {
					most = Math.max(most, held.bytes);
					await new Promise((resolve) => setImmediate(resolve));
				}),
		),
	);
	expect(most).toBe(200);
	expect(held.bytes).toBe(0);
});

describe('a limit that finds its own width', () => {
	const answer = { limited: false, full: true, milliseconds: 50, best: 50 };

	test('widens while answers come well and all places are taken, up to its bound', () => {
		expect(nextWidth(10, answer)).toBe(11);
		expect(nextWidth(10, { ...answer, full: false })).toBe(10);
		expect(nextWidth(widths.most, answer)).toBe(widths.most);
	});

	test('halves when the service says that it is too much, down to one', () => {
		expect(nextWidth(40, { ...answer, limited: true })).toBe(20);
		expect(nextWidth(1, { ...answer, limited: true })).toBe(1);
	});

	test('goes back a little when answers come far more slowly than the best one', () => {
		expect(nextWidth(40, { ...answer, milliseconds: 1000 })).toBe(39.5);
		expect(nextWidth(40, { ...answer, milliseconds: 200 })).toBe(41);
		expect(nextWidth(widths.first, { ...answer, milliseconds: 1000 })).toBe(widths.first);
	});

	test('is shared by all who use it: nobody has more than all together', async () => {
		const shared = traffic();
		let running = 0;
		let most = 0;
		const task = async () => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setImmediate(resolve));
			running--;
		};
		await Promise.all(Array.from({ length: 50 }, async () => await shared.slot(task)));
		expect(most).toBe(widths.first);
		for (let i = 0; i < 3; i++) shared.answered({ limited: true, milliseconds: 5 });
		most = 0;
		await Promise.all(Array.from({ length: 50 }, async () => await shared.slot(task)));
		// Refusals of requests that were on their way together count once.
		expect(most).toBe(widths.first / 2);
	});
});
