/** The results of a request: of its replies, of jobs that run on, and of jobs that have ended. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { awaitJobsOfRequest } from '../../../nodes/core/collect/awaitJobsOfRequest';
import { isItemFailure } from '../../../nodes/core/collect/collectItems';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import { agentSessionJob, videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { useVirtualTime } from '../http/virtualTime';
import { createRun, createSent, lipsync, node, reference } from './awaitedRequest';

useVirtualTime();

const running = { status: 'processing' };
const done = { status: 'completed', video_url: 'https://files.example/v.mp4' };
const failed = { status: 'failed', failure_code: 'render_failed' };
const rejected = { status: 'failed', failure_code: 'content_policy_violation' };
const awaited = { waitForCompletion: true };

test.each<[INodeExecutionData['pairedItem'], number]>([
	[undefined, 4],
	[5, 5],
	[{ item: 5 }, 5],
	[[{ item: 5 }], 5],
	[[{ item: 5 }, { item: 6 }], 4],
])('an output item of a request without jobs, paired with %j, is of item %i', async (...row) => {
	const [pairedItem, item] = row;
	const output = { json: { id: 1 }, pairedItem };
	const sent = createSent([], awaited, [output, { json: {} }]);
	const results = [
		{ item, output },
		{ item: 4, output: { json: {} } },
	];
	expect(await awaitJobsOfRequest(createRun({}).context, sent)).toStrictEqual({
		...{ ...sent, results, isRepeatedLater: false },
	});
});

describe('without Wait for Completion', () => {
	test.each<[string, IDataObject[], IDataObject[]]>([
		['each job has its own reply', [{ r: 1 }, { r: 2 }], [{ r: 1 }, { r: 2 }]],
		['jobs share a reply', [{ r: 1 }], [{ r: 1 }, { r: 1 }]],
		['jobs need no reply', [], [{}, {}]],
	])('%s', async (_, replies, bases) => {
		const items = replies.map((json) => ({ json }));
		const sent = createSent([lipsync('a'), lipsync('b')], { waitForCompletion: 'true' }, items);
		const { context, paths } = createRun({});
		const results = ['a', 'b'].map((id, i) => ({
			item: 4,
			output: reference(bases[i] ?? {}, 'lipsync', id),
		}));
		expect(await awaitJobsOfRequest(context, sent)).toStrictEqual({
			...{ ...sent, results, isRepeatedLater: false },
		});
		expect(paths).toStrictEqual([]);
	});

	test('each row of a batch has an item', async () => {
		const combine = { rows: videoJob };
		const sent = createSent([{ kind: videoBatchJob, id: 'b' }], {}, undefined, { combine });
		const { results } = await awaitJobsOfRequest(createRun({}).context, sent);
		expect(results).toStrictEqual(
			[4, 5].map((item, item_index) => ({
				item,
				output: {
					...reference({ from: 'reply', item_index }, 'video_batch', 'b'),
					pairedItem: { item },
				},
			})),
		);
	});
});

describe('with Wait for Completion', () => {
	test('each finished job has an item with its reply and its status response', async () => {
		const { wait, startedJobs } = createRun({ a: done, b: done });
		const sent = createSent([lipsync('a'), lipsync('b')], awaited);
		const { results, isRepeatedLater } = await wait(sent);
		expect(isRepeatedLater).toBe(false);
		expect(results).toStrictEqual(
			['a', 'b'].map((id) => ({
				item: 4,
				output: reference({ from: 'reply', ...done }, 'lipsync', id),
				result: { ...lipsync(id), data: done },
			})),
		);
		expect(startedJobs.end.mock.calls).toStrictEqual([[lipsync('a')], [lipsync('b')]]);
	});

	test.each<[string, IDataObject, boolean, number]>([
		['30 minutes', {}, false, 30],
		['5 minutes as a tool', {}, true, 5],
		['as long as the options say', { waitTimeout: '2' }, false, 2],
		['as long as the options of a tool say', { waitTimeout: 7 }, true, 7],
	])('waits %s', async (_, options, isTool, minutes) => {
		const { wait, startedJobs } = createRun({ a: running }, { isTool });
		const { results, seconds, isRepeatedLater } = await wait(
			createSent([lipsync('a')], { ...awaited, ...options }),
		);
		expect([seconds / 60, isRepeatedLater]).toStrictEqual([minutes, false]);
		expect(startedJobs.end).not.toHaveBeenCalled();
		const note = expect.stringContaining('Call Get later, with lipsync_id "a"') as string;
		const unfinished = {
			from: 'reply',
			lipsync_id: 'a',
			status: 'processing',
			finished: false,
			note,
		};
		const message = `The lipsync was not finished after ${minutes} minutes`;
		const error = expect.objectContaining({ message }) as unknown;
		expect(results).toEqual([
			isTool
				? { item: 4, output: reference(unfinished, 'lipsync', 'a') }
				: { item: 4, error, jobs: [lipsync('a')], otherItems: [5] },
		]);
	});

	test.each([
		[{ pollInterval: '20' }, 3],
		[{}, 6],
	])('asks as often as the options say: %j', async (options, polls) => {
		const { wait, paths } = createRun({ a: running });
		await wait(createSent([lipsync('a')], { ...awaited, waitTimeout: 1, ...options }));
		expect(paths).toHaveLength(polls);
	});

	test.each<[string, IDataObject, boolean, boolean]>([
		['for a temporary reason is created again later', failed, false, true],
		['for a temporary reason is created again later, in a tool too', failed, true, true],
		['for good is not created again', rejected, false, false],
	])('a job that failed %s', async (_, response, isTool, isRepeated) => {
		const { wait, state, startedJobs } = createRun({ a: response }, { isTool });
		for (const count of [1, 2]) {
			const { results, isRepeatedLater } = await wait(createSent([lipsync('a')], awaited));
			expect(isRepeatedLater).toBe(isRepeated);
			const error = expect.objectContaining({
				message: 'The lipsync failed: The service gave no reason',
			}) as unknown;
			expect(results).toEqual([{ item: 4, error, jobs: [lipsync('a')], otherItems: [5] }]);
			expect([...state.failures.values()]).toStrictEqual(isRepeated ? [count] : []);
		}
		const [id] = state.failures.keys();
		const calls = isRepeated ? [[id], [id]] : [];
		expect(state.unkeyedCreates.delete.mock.calls).toStrictEqual(calls);
		expect(startedJobs.end).toHaveBeenCalledTimes(2);
	});

	test('of several jobs, one that failed does not fail the other items', async () => {
		const { wait, state } = createRun({ a: done, b: failed });
		const { results, isRepeatedLater } = await wait(
			createSent([lipsync('a'), lipsync('b')], awaited),
		);
		expect(results.map(isItemFailure)).toStrictEqual([false, true]);
		expect(results[1]).toEqual({
			...{ item: 4, error: expect.anything() as unknown, jobs: [lipsync('b')] },
		});
		expect([isRepeatedLater, state.failures.size]).toStrictEqual([false, 0]);
	});

	test.each<[string, IDataObject, boolean, object]>([
		['fails', failed, false, { item: 4, jobs: [{ id: 's', kind: { name: 'session' } }] }],
		['runs on', running, true, { output: { json: { session_id: 's', video_id: 'v' } } }],
	])('names the session whose video %s', async (_, response, isTool, expected) => {
		const session = { kind: agentSessionJob, id: 's' };
		const responses = { s: { status: 'completed', video_id: 'v' }, v: response };
		const { results } = await createRun(responses, { isTool }).wait(createSent([session], awaited));
		expect(results).toMatchObject([expected]);
	});

	test('a status that cannot be read fails the request after all jobs have ended', async () => {
		const error = createOperationError(node, 'No', undefined, { status: 403, code: 'no' });
		const { wait, startedJobs } = createRun({ a: error, b: done });
		const waiting = wait(createSent([lipsync('a'), lipsync('b')], awaited));
		await expect(waiting).rejects.toBe(error);
		expect(getErrorDetails(error)).toStrictEqual({ status: 403, code: 'no' });
		expect(startedJobs.end.mock.calls).toStrictEqual([[lipsync('b')]]);
	});
});
