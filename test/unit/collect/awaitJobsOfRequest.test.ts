/** The results of a request: of its replies, of jobs that run on, and of jobs that have ended. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { awaitJobsOfRequest } from '../../../nodes/core/collect/awaitJobsOfRequest';
import { isItemFailure } from '../../../nodes/core/collect/itemResult';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { SentRequest } from '../../../nodes/core/plan/groupRequests';
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
		{ item, output, creation: 'created', isPassedOn: false },
		{ item: 4, output: { json: {} }, creation: 'created', isPassedOn: false },
	];
	expect(await awaitJobsOfRequest(createRun({}).context, sent)).toEqual({
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
			...{ item: 4, outcome: 'running', creation: 'created', isPassedOn: false },
			output: reference(bases[i] ?? {}, 'lipsync', id),
		}));
		expect(await awaitJobsOfRequest(context, sent)).toStrictEqual({
			...{ ...sent, results, isRepeatedLater: false },
		});
		expect(paths).toStrictEqual([]);
	});

	test('each row of a batch has an item', async () => {
		const combine = { rows: videoJob };
		const operation = { request: 'POST /v3/videos/batches', combine };
		const sent = createSent([{ kind: videoBatchJob, id: 'b' }], {}, undefined, operation);
		const { results } = await awaitJobsOfRequest(createRun({}).context, sent);
		expect(results).toStrictEqual(
			[4, 5].map((item, item_index) => ({
				...{ item, outcome: 'running', creation: 'created', isPassedOn: false },
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
				...{ item: 4, outcome: 'finished', creation: 'created' },
				output: reference({ from: 'reply', ...done }, 'lipsync', id),
				result: { ...lipsync(id), data: done },
			})),
		);
		expect(startedJobs.end.mock.calls).toStrictEqual([[lipsync('a')], [lipsync('b')]]);
	});

	test.each<[string, IDataObject, boolean, number]>([
		['a day', {}, false, 1440],
		['30 minutes as a tool', {}, true, 30],
		['as long as the options say', { waitTimeout: '2' }, false, 2],
		['as long as the options of a tool say', { waitTimeout: 7 }, true, 7],
	])('waits %s', async (_, options, isTool, minutes) => {
		const { wait, startedJobs } = createRun({ a: running }, { isTool });
		const { results, seconds, isRepeatedLater } = await wait(
			createSent([lipsync('a')], { ...awaited, ...options }),
		);
		expect([seconds / 60, isRepeatedLater]).toStrictEqual([minutes, false]);
		expect(startedJobs.end).not.toHaveBeenCalled();
		const note = expect.stringContaining('call Get, with lipsync_id "a"') as string;
		const unfinished = {
			from: 'reply',
			lipsync_id: 'a',
			status: 'processing',
			finished: false,
			note,
		};
		const message = `The lipsync a was not finished after ${minutes} minutes`;
		const error = expect.objectContaining({ message }) as unknown;
		expect(results).toEqual([
			{
				...{ item: 4, creation: 'created' },
				...(isTool
					? { outcome: 'running', output: reference(unfinished, 'lipsync', 'a') }
					: { error, jobs: [lipsync('a')], otherItems: [5], hints: [], rows: undefined }),
			},
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
		const { wait, state, startedJobs, bodies, recordSent } = createRun({ a: response }, { isTool });
		const sent = createSent([lipsync('a')], awaited);
		for (const count of [1, 2]) {
			const record = recordSent(sent);
			const { results, isRepeatedLater } = await wait(sent);
			expect(isRepeatedLater).toBe(isRepeated);
			const error = expect.objectContaining({
				message: 'The lipsync failed: The service gave no reason',
			}) as unknown;
			const failure = {
				...{ item: 4, error, jobs: [lipsync('a')], otherItems: [5], creation: 'created' },
			};
			expect(results).toEqual([{ ...failure, hints: [], rows: undefined }]);
			expect(state.failures).toStrictEqual(isRepeated ? { 4: count, 5: count } : {});
			expect([record.sent, 'outcome' in record]).toStrictEqual(
				isRepeated ? [[], false] : [['4', '5'], true],
			);
		}
		expect(startedJobs.end).toHaveBeenCalledTimes(2);
		expect(bodies).toStrictEqual([]);
	});

	test('a job that has failed three times is not created again, and the error says so', async () => {
		const { wait, state, recordSent } = createRun({ a: failed });
		const sent = createSent([lipsync('a')], awaited);
		Object.assign(state.failures, { 4: 2, 5: 2 });
		const record = recordSent(sent);
		const { results, isRepeatedLater } = await wait(sent);
		const hint =
			'The job was created 3 times and failed each time. The node will not create the job again.';
		expect(results).toMatchObject([{ hints: [hint] }]);
		expect([isRepeatedLater, state.failures]).toStrictEqual([false, { 4: 2, 5: 2 }]);
		expect(record).toMatchObject({ sent: ['4', '5'], outcome: { result: { id: 'a' } } });
	});

	describe('the job of a known request that failed with a temporary error', () => {
		const operation = { request: 'POST /v3/lipsyncs', starts: lipsync('').kind, idempotent: true };
		const sent: SentRequest = {
			...createSent([lipsync('a')], awaited, undefined, operation),
			creation: 'continued',
		};

		test('is created again at once', async () => {
			const replies = [{ data: { lipsync_id: 'b' } }];
			const { wait, state, bodies, recordSent } = createRun({ a: failed, b: done }, { replies });
			const record = recordSent(sent, { data: { lipsync_id: 'a' } });
			const result = await wait(sent);
			expect(result.results).toStrictEqual([
				{
					...{ item: 4, outcome: 'finished', creation: 'created' },
					output: reference({ lipsync_id: 'b', ...done }, 'lipsync', 'b'),
					result: { ...lipsync('b'), data: done },
				},
			]);
			expect(result.isRepeatedLater).toBe(false);
			expect(bodies).toHaveLength(1);
			expect(state.failures).toStrictEqual({ 4: 1, 5: 1 });
			expect(record.outcome).toStrictEqual({ result: { data: { lipsync_id: 'b' } } });
		});

		test('is created again later if the new job fails too', async () => {
			const replies = [{ data: { lipsync_id: 'b' } }];
			const { wait, state, bodies } = createRun({ a: failed, b: failed }, { replies });
			const { results, isRepeatedLater } = await wait(sent);
			expect(results).toMatchObject([{ item: 4, jobs: [{ id: 'b' }] }]);
			expect([isRepeatedLater, bodies.length]).toStrictEqual([true, 1]);
			expect(state.failures).toStrictEqual({ 4: 2, 5: 2 });
		});

		test('fails its items if the request for the new job is rejected', async () => {
			const error = createOperationError(node, 'No', undefined, { status: 400, code: 'no' });
			const { wait, state } = createRun({ a: failed }, { replies: [error] });
			expect(await wait(sent)).toMatchObject({
				results: [{ item: 4, otherItems: [5], error, jobs: [{ id: 'a' }], outcome: 'failed' }],
				isRepeatedLater: false,
			});
			expect(Object.values(state.creates)).toMatchObject([{ rejections: 1 }]);
		});
	});

	test('of several jobs, one that failed does not fail the other items', async () => {
		const { wait, state } = createRun({ a: done, b: failed });
		const { results, isRepeatedLater } = await wait(
			createSent([lipsync('a'), lipsync('b')], awaited),
		);
		expect(results.map(isItemFailure)).toStrictEqual([false, true]);
		expect(results[1]).toEqual({
			...{
				item: 4,
				error: expect.anything() as unknown,
				jobs: [lipsync('b')],
				hints: [],
				rows: undefined,
				creation: 'created',
			},
		});
		expect([isRepeatedLater, state.failures]).toStrictEqual([false, {}]);
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

describe('the job in a response to a key that outlives the execution', () => {
	const operation = { request: 'POST /v3/lipsyncs', starts: lipsync('').kind, idempotent: true };
	const now = () => clock.now() / 1000;
	const createRequest = (values: IDataObject) =>
		createSent([lipsync('a')], values, undefined, operation);

	test.each<[string, IDataObject, IDataObject, number, number]>([
		['is created again if it failed long ago', {}, { created_at: -6 }, 1, 1],
		['is created again if it failed at an unknown time', {}, {}, 1, 1],
		['is kept if it is new', {}, { created_at: -1 }, 1, 0],
		['is kept if it failed for good', {}, { ...rejected, created_at: -600 }, 1, 0],
		['is kept if it runs', {}, { ...running, created_at: -600 }, 1, 0],
		['is not read if the key is of this execution', { payOncePer: 'execution' }, {}, 0, 0],
	])('%s', async (_, values, { created_at, ...response }, reads, creates) => {
		const age = created_at === undefined ? {} : { created_at: now() + Number(created_at) };
		const replies = [{ data: { lipsync_id: 'b' } }];
		const { context, paths, bodies, state } = createRun(
			{ a: { ...failed, ...response, ...age }, b: running },
			{ replies },
		);
		const request = createRequest({ payOncePer: 'request', ...values });
		const { results } = await awaitJobsOfRequest(context, request);
		expect([bodies.length, state.failures[4] ?? 0]).toStrictEqual([creates, creates]);
		expect(paths.filter((id) => id === 'a')).toHaveLength(reads);
		const id = creates > 0 ? 'b' : 'a';
		expect(results).toMatchObject([{ output: { json: { job: { kind: 'lipsync', id } } } }]);
	});

	test('is kept with a warning if its status cannot be read', async () => {
		const error = createOperationError(node, 'No', undefined, { status: 403, code: 'no' });
		const { context, bodies } = createRun({ a: error });
		const { results } = await awaitJobsOfRequest(context, createRequest({ payOncePer: 'request' }));
		expect(results).toMatchObject([{ output: { json: { job: { id: 'a' } } } }]);
		expect(bodies).toStrictEqual([]);
		expect((context.client.warn as jest.Mock).mock.calls).toStrictEqual([
			['The status of lipsync a cannot be read: No. The job is left unchanged'],
		]);
	});
});
