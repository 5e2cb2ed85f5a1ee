import { getEventListeners } from 'node:events';
import { createSemaphore } from '../../nodes/core/semaphore';

const running = new AbortController().signal;

test('tasks hold bytes up to the limit; a task that needs more runs alone', async () => {
	const runWithin = createSemaphore(100);
	let used = 0;
	let most = 0;
	await Promise.all(
		[60, 60, 30, 200].map(
			async (bytes) =>
				await runWithin(bytes, running, async () => {
					most = Math.max(most, (used += bytes));
					await new Promise((resolve) => setImmediate(resolve));
					used -= bytes;
				}),
		),
	);
	expect(most).toBe(200);
	expect(getEventListeners(running, 'abort')).toHaveLength(0);
});

test('tasks that need exactly the limit together run together', async () => {
	const runWithin = createSemaphore(100);
	let runningTasks = 0;
	const run = async () => {
		runningTasks++;
		await new Promise((resolve) => setImmediate(resolve));
		return runningTasks--;
	};
	const counts = [60, 40].map(async (bytes) => await runWithin(bytes, running, run));
	expect(await Promise.all(counts)).toEqual([2, 1]);
});

test('tasks start in order, so that none waits forever for much of the semaphore', async () => {
	const runWithin = createSemaphore(100);
	const started: number[] = [];
	const run = async (bytes: number) =>
		await runWithin(bytes, running, async () => {
			started.push(bytes);
			await new Promise((resolve) => setImmediate(resolve));
		});
	await Promise.all([60, 90, 30, 20].map(run));
	expect(started).toEqual([60, 90, 30, 20]);
});

test('a task whose execution is stopped while it waits does not run, and holds up no other', async () => {
	const runWithin = createSemaphore(100);
	let finish = () => undefined as void;
	const first = runWithin(80, running, async () => {
		await new Promise<void>((resolve) => (finish = resolve));
	});
	const stop = new AbortController();
	const task = jest.fn(async () => undefined);
	const stopped = runWithin(50, stop.signal, task);
	const next = runWithin(50, running, async () => 'next');
	stop.abort(new Error('stopped'));
	await expect(stopped).rejects.toThrow('stopped');
	finish();
	expect([await next, await first]).toEqual(['next', undefined]);
	expect(task).not.toHaveBeenCalled();
	expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
	// All of it is free again.
	expect(await runWithin(100, running, async () => 'last')).toBe('last');
});
