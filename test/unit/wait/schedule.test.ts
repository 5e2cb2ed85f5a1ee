/** When a suspended wait checks its jobs again, and what it keeps in the execution. */
import type { INodeExecutionData } from 'n8n-workflow';
import {
	clearWaitState,
	saveErrorItemsHash,
	saveWaitState,
	hashAwaitedJobs,
	calculateNextSuspension,
	calculateOutageSuspension,
	readWaitState,
	saveFinishedItemsHash,
	detectReturnedErrors,
	detectReturnedItems,
} from '../../../nodes/VideoGenWait/schedule';

const minutes = (count: number) => count * 60_000;

test.each([
	[0, 65_000],
	[minutes(6), minutes(2)],
	[minutes(1000), minutes(5)],
])('after %d ms of waiting, the next check is in %d ms', (waited, pause) => {
	expect(calculateNextSuspension(waited)).toBe(pause);
});

test.each([
	[0, 1, 65_000],
	[minutes(6), 0, 65_000],
	[minutes(6), 0.5, 90_000],
	[minutes(6), 1, 120_000],
	[minutes(1000), 0, 140_000],
	[minutes(1000), 1, 280_000],
])(
	'after %d ms of waiting, an outage pauses the checks for a random time: %d is %d ms',
	(waited, random, pause) => {
		expect(calculateOutageSuspension(waited, random)).toBe(pause);
	},
);

test('the hash of jobs does not depend on their order', () => {
	expect(hashAwaitedJobs(['video a', 'video b'])).toBe(hashAwaitedJobs(['video b', 'video a']));
	expect(hashAwaitedJobs(['video a', 'video b'])).not.toBe(hashAwaitedJobs(['video a']));
	expect(hashAwaitedJobs(['a', 'b'])).not.toBe(hashAwaitedJobs(['a b']));
	expect(hashAwaitedJobs([])).toMatch(/^[\da-f]{32}$/);
});

test('finished items that come back are recognized once, by their JSON alone', () => {
	const context = {};
	const returned = [{ json: { id: 1 }, pairedItem: { item: 0 } }];
	expect(detectReturnedItems(context, returned)).toBe(false);
	saveFinishedItemsHash(context, [{ json: { id: 1 } }]);
	expect(detectReturnedItems(context, returned)).toBe(true);
	expect(context).toEqual({});
	saveFinishedItemsHash(context, [{ json: { id: 2 } }]);
	expect(detectReturnedItems(context, returned)).toBe(false);
	expect(context).toEqual({});
});

test('a wait continues from its state, and starts again for other jobs and after its end', () => {
	const context = {};
	expect(readWaitState(context, 'one', 'e', 5)).toEqual({ since: 5, checks: 0 });
	saveWaitState(context, 'one', { since: 5, checks: 1 });
	expect(context).toEqual({ videoGenWait: { mark: 'one', since: 5, looks: 1 } });
	// As n8n's database returns it.
	const stored = JSON.parse(JSON.stringify(context)) as object;
	expect(readWaitState(stored, 'one', 'e', 99)).toEqual({ since: 5, checks: 1 });
	expect(readWaitState(stored, 'two', 'e', 99)).toEqual({ since: 99, checks: 0 });
	clearWaitState(context);
	expect(readWaitState(context, 'one', 'e', 99)).toEqual({ since: 99, checks: 0 });
});

test('a wait that failed continues in the same execution only', () => {
	const context = {};
	saveWaitState(context, 'one', { since: 5, checks: 1, failedIn: 'e' });
	expect(readWaitState(context, 'one', 'e', 99)).toEqual({ since: 5, checks: 1 });
	expect(readWaitState(context, 'one', 'f', 99)).toEqual({ since: 99, checks: 0 });
});

test('a wait keeps the record of its failed checks', () => {
	const context = {};
	const failedReads = { since: 1 } as never;
	saveWaitState(context, 'one', { since: 5, checks: 1, failedReads });
	expect(readWaitState(context, 'one', 'e', 99)).toEqual({ since: 5, checks: 1, failedReads });
	saveWaitState(context, 'one', { since: 5, checks: 2 });
	expect(readWaitState(context, 'one', 'e', 99)).toStrictEqual({
		since: 5,
		checks: 2,
		failedReads: undefined,
	});
});

describe('items that come back from the error output', () => {
	const failed = { json: { error: 'The video failed', details: { code: 'render_failed' } } };
	const timedOut = { json: { error: 'Not finished', details: { code: 'wait_timeout' } } };
	const finished = { json: { status: 'completed', error: null } };
	const isReturned = (output: INodeExecutionData[], input: INodeExecutionData[], after = 1) => {
		const context = {};
		saveErrorItemsHash(context, output, minutes(9));
		const isTaken = detectReturnedErrors(context, input, minutes(9) + after);
		expect(context).toEqual({});
		return isTaken;
	};

	test('are recognized if all of them have failed, with other keys or without', () => {
		const merged = { json: { name: 'Anna', ...failed.json } };
		expect(isReturned([finished, failed], [merged])).toBe(true);
		expect(isReturned([failed], [merged], minutes(1))).toBe(false);
	});

	test('are not expected if no job has failed', () => {
		const context = {};
		saveErrorItemsHash(context, [finished, timedOut], 0);
		expect(context).toEqual({});
	});

	test('are awaited again after a timeout, and so are new items', () => {
		expect(isReturned([timedOut], [timedOut])).toBe(false);
		expect(isReturned([failed, timedOut], [failed, timedOut])).toBe(false);
		// As in Loop Over Items, which sends one row after the other.
		expect(isReturned([finished], [{ json: { video_id: 'next' } }])).toBe(false);
		expect(isReturned([failed], [{ json: { video_id: 'next' } }])).toBe(false);
	});
});
