/** A batch whose rows fail: n8n's retry creates those of them again that may succeed. */
import type { IDataObject } from 'n8n-workflow';
import type { RequestWithResults } from '../../../nodes/core/collect/awaitJobsOfRequest';
import { createServiceError } from '../../../nodes/core/errors/nodeErrors';
import type { OperationItem } from '../../../nodes/core/operation';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { useVirtualTime } from '../http/virtualTime';
import { createRun, createSent, node } from './awaitedRequest';

useVirtualTime();

const operation = {
	...{ request: 'POST /v3/videos/batches', starts: videoBatchJob, idempotent: true },
	combine: {
		...{ list: 'videos', maxSize: 9, rows: videoJob },
		body: (items: Array<OperationItem<IDataObject>>) => ({
			videos: items.map((_, i) => ({ script: `${i}` })),
		}),
	},
};
const batch = { kind: videoBatchJob, id: 'b1' };
const values = { waitForCompletion: true };
const sent = createSent([batch], values, undefined, operation);

const good = { status: 'completed', video_id: 'v1' };
const lost = { status: 'failed', failure_code: 'render_failed' };
const rejected = { status: 'failed', failure_code: 'content_policy_violation' };
const createBatch = (...items: IDataObject[]) => ({ status: 'completed', items });

type Settings = Parameters<typeof createRun>[1];

/** A run of a batch with these rows, and with the rows of the batches that it creates after that. */
const createBatchRun = (rows: IDataObject[], more: IDataObject = {}, settings: Settings = {}) =>
	createRun(
		{ b1: createBatch(...rows), v1: { status: 'completed', title: 'V' }, ...more },
		settings,
	);

/** Shows each result as the item with its video or its error, and the jobs of the error. */
const show = ({ results }: RequestWithResults) =>
	results.map((result) =>
		'error' in result
			? [result.item, result.error.message, ...result.jobs.map(({ id }) => id)]
			: [result.item, result.output.json.video_id, result.output.json.batch_id],
	);
const failure = 'The video of this row failed: The service gave no reason';

test('a batch whose rows succeed or fail for good has their results', async () => {
	const { wait, state } = createBatchRun([good, rejected]);
	const awaited = await wait(sent);
	expect(show(awaited)).toStrictEqual([
		[4, 'v1', 'b1'],
		[5, failure],
	]);
	expect(awaited).toMatchObject({ isRepeatedLater: false, jobs: [batch] });
	expect(state.failures.size).toBe(0);
});

test('a batch that is canceled as a whole is a failed job', async () => {
	const response = { status: 'canceled', items: [lost, lost] };
	const awaited = await createRun({ b1: response }).wait(sent);
	expect(show(awaited)).toStrictEqual([
		[4, 'The video batch was canceled: The service gave no reason', 'b1'],
	]);
	expect(awaited.results).toMatchObject([{ otherItems: [5] }]);
	expect(awaited.isRepeatedLater).toBe(false);
});

test.each([
	[undefined, 1],
	[1, 2],
])('rows fail at first, and the next attempt knows: after retry %j', async (retry, count) => {
	const { wait, state, bodies } = createBatchRun([good, lost]);
	const awaited = await wait({ ...sent, retry });
	expect(show(awaited)).toStrictEqual([
		[4, 'v1', 'b1'],
		[5, failure],
	]);
	expect(awaited.isRepeatedLater).toBe(true);
	expect([...state.failures.values()]).toStrictEqual([count]);
	expect(bodies).toStrictEqual([]);
});

describe('the next attempt', () => {
	/** Waits twice, as n8n does with Retry On Fail. */
	async function waitTwice(rows: IDataObject[], more: IDataObject = {}, settings: Settings = {}) {
		const run = createBatchRun(rows, more, settings);
		await run.wait(sent);
		run.paths.splice(0);
		return { ...run, awaited: await run.wait(sent) };
	}
	const replies = () => [{ data: { batch_id: 'b2' } }];

	test('creates only the failed rows again, and waits for them', async () => {
		const more = { b2: createBatch({ ...good, video_id: 'v2' }), v2: { status: 'completed' } };
		const { awaited, bodies, paths } = await waitTwice([lost, good], more, { replies: replies() });
		expect(show(awaited)).toStrictEqual([
			[5, 'v1', 'b1'],
			[4, 'v2', 'b2'],
		]);
		expect(awaited).toMatchObject({ isRepeatedLater: false, jobs: [{ id: 'b1' }, { id: 'b2' }] });
		expect(bodies).toStrictEqual([{ videos: [{ script: '0' }] }]);
		expect(paths).toStrictEqual(['b1', 'v1', 'b2', 'v2']);
	});

	test('is followed by another one if the rows fail again', async () => {
		const more = { b2: createBatch(lost) };
		const { awaited, state } = await waitTwice([good, lost], more, { replies: replies() });
		expect(show(awaited)).toStrictEqual([
			[4, 'v1', 'b1'],
			[5, failure],
		]);
		expect(awaited.isRepeatedLater).toBe(true);
		expect([...state.failures.values()]).toStrictEqual([1, 2]);
	});

	test.each([
		[false, [[4, failure]], 0],
		[
			true,
			[
				[4, failure],
				[5, 'v1', 'b2'],
			],
			1,
		],
	])(
		'sends nothing if another row failed for good, without Continue On Fail: %j',
		async (...row) => {
			const [continues, expected, requests] = row;
			const settings = { continues, replies: replies() };
			const { awaited, bodies } = await waitTwice(
				[rejected, lost],
				{ b2: createBatch(good) },
				settings,
			);
			expect(show(awaited)).toStrictEqual(expected);
			expect([awaited.isRepeatedLater, bodies.length]).toStrictEqual([false, requests]);
		},
	);

	test('fails all rows that the service does not create again, and names their first batch', async () => {
		const error = createServiceError(node, { status: 402, code: 'insufficient_credit' });
		const { awaited } = await waitTwice([lost, lost], {}, { replies: [error] });
		expect(show(awaited)).toStrictEqual([[4, error.message, 'b1']]);
		expect(awaited).toMatchObject({
			isRepeatedLater: false,
			results: [{ otherItems: [5], error }],
		});
	});

	test('fails the rows that the service rejects, and is the last one', async () => {
		const details = { status: 400, code: 'invalid_parameter', param: 'videos[0].script' };
		const error = createServiceError(node, details);
		const settings = { continues: true, replies: [error, ...replies()] };
		const { awaited } = await waitTwice([lost, lost], { b2: createBatch(lost) }, settings);
		expect(show(awaited)).toStrictEqual([
			[4, error.message, 'b1'],
			[5, failure],
		]);
		expect(awaited.isRepeatedLater).toBe(false);
	});

	test('fails the rows if the response is of no use', async () => {
		const { awaited } = await waitTwice([lost, lost], {}, { replies: [{ data: {} }] });
		expect(show(awaited)).toStrictEqual([
			[4, 'The service accepted the request but returned no batch_id', 'b1'],
		]);
		expect(awaited).toMatchObject({ isRepeatedLater: false, results: [{ otherItems: [5] }] });
	});

	test('fails the rows if the status of the new batch cannot be read', async () => {
		const error = createServiceError(node, { status: 403, code: 'forbidden' });
		const more = { b2: error as never };
		const { awaited } = await waitTwice([good, lost], more, { replies: replies() });
		expect(show(awaited)).toStrictEqual([
			[4, 'v1', 'b1'],
			[5, error.message, 'b1'],
		]);
	});
});
