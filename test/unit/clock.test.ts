/** Pauses, on every supported version of n8n. */
import { getEventListeners } from 'node:events';
import { sleep } from 'n8n-workflow';
import { createClock } from '../../nodes/core/clock';

const stopError = new Error('The execution was stopped');

describe.each([
	['n8n 1', async (milliseconds: number) => await sleep(milliseconds)],
	['n8n 2', sleep],
])('on %s', (_, sleepInN8n) => {
	const clock = createClock(sleepInN8n);

	test('a pause ends in time and leaves no listener', async () => {
		const { signal } = new AbortController();
		const before = clock.now();
		await Promise.all([clock.sleep(20), clock.sleep(20, signal)]);
		expect(clock.now() - before).toBeGreaterThanOrEqual(19);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('a signal ends a pause at once', async () => {
		const stop = new AbortController();
		let isOver = false;
		const pause = clock.sleep(100, stop.signal);
		const longer = clock.sleep(100).then(() => (isOver = true));
		stop.abort(stopError);
		await expect(pause).rejects.toBe(stopError);
		expect(isOver).toBe(false);
		await longer;
		await clock.tick();
		expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
	});

	test('with a signal that has already aborted, no pause begins', async () => {
		await expect(clock.sleep(60_000, AbortSignal.abort(stopError))).rejects.toBe(stopError);
	});
});
