/** When a suspended wait checks its jobs again, and what it keeps in the execution. */
import {
	clearWaitState,
	saveWaitState,
	hashAwaitedJobs,
	calculateNextSuspension,
	readWaitState,
} from '../../../nodes/VideoGenWait/schedule';

const minutes = (count: number) => count * 60_000;

test.each([
	[0, 65_000],
	[minutes(6), minutes(2)],
	[minutes(1000), minutes(5)],
])('after %d ms of waiting, the next check is in %d ms', (waited, pause) => {
	expect(calculateNextSuspension(waited)).toBe(pause);
});

test('the hash of jobs does not depend on their order', () => {
	expect(hashAwaitedJobs(['video a', 'video b'])).toBe(hashAwaitedJobs(['video b', 'video a']));
	expect(hashAwaitedJobs(['video a', 'video b'])).not.toBe(hashAwaitedJobs(['video a']));
	expect(hashAwaitedJobs(['a', 'b'])).not.toBe(hashAwaitedJobs(['a b']));
});

test('a wait continues from its state, and starts again for other jobs and after its end', () => {
	const context = {};
	expect(readWaitState(context, 'one', 5)).toEqual({ since: 5, checks: 0 });
	saveWaitState(context, 'one', { since: 5, checks: 1 });
	expect(context).toEqual({ videoGenWait: { mark: 'one', since: 5, looks: 1 } });
	// As n8n's database returns it.
	const stored = JSON.parse(JSON.stringify(context)) as object;
	expect(readWaitState(stored, 'one', 99)).toEqual({ since: 5, checks: 1 });
	expect(readWaitState(stored, 'two', 99)).toEqual({ since: 99, checks: 0 });
	clearWaitState(context);
	expect(readWaitState(context, 'one', 99)).toEqual({ since: 99, checks: 0 });
});
