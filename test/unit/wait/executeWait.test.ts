/** How the wait node waits: in place at first, then suspended, and until when. */
import { hashAwaitedJobs } from '../../../nodes/VideoGenWait/schedule';
import { clock } from '../../../nodes/core/clock';
import { passTime, useVirtualTime } from '../http/virtualTime';
import {
	createHost,
	createItem,
	done,
	failed,
	running,
	unconnected,
	type HostSettings,
} from './waitHost';

useVirtualTime();
afterEach(() => jest.restoreAllMocks());

const minutes = (count: number) => count * 60_000;
const pass = async (milliseconds: number) => await passTime(clock.sleep(milliseconds));

/** What an execution has stored that waits for these lipsyncs since the start. */
const store = (ids: string[], looks = 3, more: object = {}) => ({
	videoGenWait: {
		...{ mark: hashAwaitedJobs(ids.map((id) => `lipsync ${id}`)), since: 0, looks },
		...more,
	},
});

const describeCheck = (progress: string, milliseconds: number) => ({
	message: `${progress}. The node checks again at ${new Date(milliseconds).toISOString()}, or as soon as the service calls back.`,
	location: 'outputPane',
});

test('suspends the execution if a job runs longer than 30 seconds', async () => {
	const host = createHost({ items: [createItem('a', { i: 1 })], responses: { a: running } });
	const { outputs, seconds } = await host.run();
	const hint = describeCheck('Not finished yet', 95_000);
	expect([seconds, host.reads.length]).toStrictEqual([30, 4]);
	expect(host.putExecutionToWait.mock.calls).toStrictEqual([[new Date(95_000)]]);
	expect(host.addExecutionHints.mock.calls).toStrictEqual([[hint]]);
	const json = { ...createItem('a', { i: 1 }).json, still_running: hint.message };
	expect(outputs).toStrictEqual([[{ json, pairedItem: { item: 0 } }], []]);
	expect(host.context).toStrictEqual(store(['a'], 1));
	expect([host.warn.mock.calls, host.started.alwaysOutputData]).toStrictEqual([[], false]);
});

test('counts the jobs that end in place, and outputs them together with the last', async () => {
	const responses = { a: [running, done], b: [running, running, 403], c: running };
	const host = createHost({ items: ['a', 'b', 'c'].map((id) => createItem(id)), responses });
	await host.run();
	const hint = describeCheck('Not finished yet: 2 of 3 jobs have ended', 95_100);
	expect(host.addExecutionHints.mock.calls).toStrictEqual([[hint]]);
	const last = createHost({
		items: [createItem('a'), createItem('b')],
		responses: { a: [running, done], b: [running, failed] },
		onError: 'continueRegularOutput',
	});
	const { outputs } = await last.run();
	expect(outputs).toMatchObject([[], [{ json: done }, { json: { error: expect.any(String) } }]]);
	expect(last.context).toStrictEqual({});
	expect(last.putExecutionToWait).not.toHaveBeenCalled();
});

test('later checks read each job once, and output nothing until all have ended', async () => {
	await pass(minutes(6));
	const items = [createItem('a'), createItem('b'), createItem('b')];
	const responses = { a: done, b: running };
	const host = createHost({ items, responses, context: store(['a', 'b']) });
	const { outputs, seconds } = await host.run();
	const hint = describeCheck('Not finished yet: 1 of 2 jobs have ended', minutes(8));
	expect([seconds < 1, host.reads]).toStrictEqual([true, ['a', 'b']]);
	expect(host.addExecutionHints.mock.calls).toMatchObject([[{ location: hint.location }]]);
	expect(host.addExecutionHints.mock.calls[0]?.[0].message).toContain('1 of 2 jobs have ended');
	expect(outputs?.map((all) => all.length)).toStrictEqual([3, 0]);
	expect(host.context).toStrictEqual(store(['a', 'b'], 4));
});

test('an input without jobs ends at once', async () => {
	const item = { json: { name: 'A' } };
	const { run, reads } = createHost({ items: [item], onError: 'continueRegularOutput' });
	expect((await run()).outputs).toMatchObject([
		[],
		[{ json: { error: 'The item does not refer to a job' } }],
	]);
	expect(reads).toStrictEqual([]);
	const { run: fail } = createHost({ items: [createItem('a'), item], responses: { a: done } });
	await expect(fail()).rejects.toMatchObject({
		message: 'The item does not refer to a job [item 1]',
		context: { itemIndex: 1, details: { code: 'invalid_value' } },
	});
});

describe('the end of the wait', () => {
	const day = minutes(1440);
	const wait = async (now: number, more: Partial<HostSettings> = {}) => {
		await pass(now);
		const settings = { items: [createItem('a')], responses: { a: running }, ...more };
		const host = createHost({
			context: store(['a']),
			onError: 'continueRegularOutput',
			...settings,
		});
		return { ...host, ...(await host.run()) };
	};

	test.each([
		['a day', {}, day],
		['Wait Timeout', { waitTimeout: 20 }, minutes(20)],
	])('is after %s, for which the last suspension is shortened', async (_, options, end) => {
		const suspended = await wait(end - 65_000, { options });
		expect(suspended.putExecutionToWait.mock.calls).toStrictEqual([[new Date(end)]]);
	});

	test.each([
		['the time is short', day - 64_999, 64.999, '1440'],
		['the time is over', day + 600_000, 1, '1450'],
	])('is awaited in place if %s', async (_, now, expected, count) => {
		const { seconds, outputs, reads, putExecutionToWait, context } = await wait(now);
		expect([seconds, putExecutionToWait.mock.calls, context]).toStrictEqual([expected, [], {}]);
		expect(reads.length).toBeGreaterThan(0);
		const error = `The lipsync was not finished after ${count} minutes`;
		expect(outputs).toMatchObject([[], [{ json: { error, details: { code: 'wait_timeout' } } }]]);
	});

	test('is a result if the job ends before the first pause', async () => {
		const { seconds, outputs } = await wait(day, { responses: { a: done } });
		expect(seconds).toBe(0);
		expect(outputs).toMatchObject([[], [{ json: done }]]);
	});

	test('is an error of the job that cannot be read', async () => {
		const { outputs } = await wait(day, { responses: { a: 403 } });
		expect(outputs).toMatchObject([[], [{ json: { details: { code: 'code_403' } } }]]);
	});

	test('comes in place if the execution cannot be suspended, with a hint', async () => {
		const { seconds, outputs, addExecutionHints, reads } = await wait(minutes(5), {
			...{ more: unconnected, options: { waitTimeout: 7 } },
		});
		expect(seconds).toBeGreaterThanOrEqual(120);
		expect(reads.length).toBeGreaterThan(3);
		expect(outputs).toMatchObject([
			[{ json: { details: { code: 'wait_timeout' } } }],
			[{ json: { error: 'The lipsync was not finished after 7 minutes' } }],
		]);
		expect(addExecutionHints.mock.calls).toStrictEqual([
			[
				{
					message:
						'The execution was not suspended. To suspend it while jobs run, connect Still Running to the input of this node, and Finished to the next node.',
					location: 'outputPane',
				},
			],
		]);
	});

	test('needs no hint for jobs that have ended', async () => {
		const { outputs, addExecutionHints } = await wait(0, {
			more: unconnected,
			responses: { a: done },
		});
		expect(addExecutionHints).not.toHaveBeenCalled();
		expect(outputs?.map((all) => all.length)).toStrictEqual([1, 1]);
	});

	test('comes in place in a looped sub-workflow, with a hint about the call', async () => {
		const { addExecutionHints } = await wait(day - minutes(3), {
			more: {
				getConnections: () => [[{ node: 'Wait', index: 0 }]],
				getChildNodes: () => [],
				runExecutionData: { parentExecution: {}, resultData: { runData: {} } },
			},
		});
		expect(addExecutionHints.mock.calls).toStrictEqual([
			[
				{
					message:
						'The execution was not suspended: n8n would continue the calling workflow without all of its items. To call this sub-workflow with several items, use n8n 2 and the "Run once with all items" mode.',
					location: 'outputPane',
				},
			],
		]);
	});
});
