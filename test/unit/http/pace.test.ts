/** How many requests go in a minute. */
import { planNextRequest } from '../../../nodes/core/http/perMinuteLimit';

test('as many as fit into a minute go at once; the next waits for the oldest to leave it', () => {
	let times: readonly number[] = [];
	for (let i = 0; i < 3; i++) times = planNextRequest(times, 3, 1_000);
	expect(times).toEqual([1_000, 1_000, 1_000]);
	times = planNextRequest(times, 3, 2_000);
	expect(times[times.length - 1]).toBe(62_000);
	expect(planNextRequest(times, 3, 70_000).at(-1)).toBe(70_000);
});

test('no more times are kept than are looked at', () => {
	let times: readonly number[] = [];
	for (let i = 0; i < 100; i++) times = planNextRequest(times, 5, i * 100_000);
	expect(times).toHaveLength(5);
});
