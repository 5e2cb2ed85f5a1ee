/** A batch whose rows fail: n8n's retry creates those of them again that may succeed. */
import type { IDataObject } from 'n8n-workflow';
import type { FinishedRequest } from '../../../nodes/core/collect/itemResult';
import { createServiceError } from '../../../nodes/core/errors/nodeErrors';
import type { ValidatedItem } from '../../../nodes/core/operation';
import { sendPlannedRequest } from '../../../nodes/core/send/sendPlannedRequest';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { useVirtualTime } from '../http/virtualTime';
import { forgetAttempt } from '../send/plannedRequests';
import { createRun, createSent, node } from './awaitedRequest';

useVirtualTime();

const operation = {
	...{ request: 'POST /v3/videos/batches', starts: videoBatchJob, idempotent: true },
	combine: {
		...{ list: 'videos', maxSize: 9, rows: videoJob },
		body: (items: Array<ValidatedItem<IDataObject>>) => ({
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
const show = ({ results }: FinishedRequest) =>
	results.map((result) =>
		'error' in result
			? [result.item, result.error.message, ...result.jobs.map(({ id }) => id)]
			: [result.item, result.output.json.video_id, result.output.json.batch_id],
	);
const failure = 'The video for this row failed: The service gave no reason';

test('a batch whose rows succeed or fail for good has their results', async () => {
	const { wait, state } = createBatchRun([good, rejected]);
	const awaited = await wait(sent);
	expect(show(awaited)).toStrictEqual([
		[4, 'v1', 'b1'],
		[5, failure],
	]);
	expect(awaited).toMatchObject({ isRepeatedLater: false, jobs: [batch] });
	expect(state.failures).toStrictEqual({});
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

test.each([0, 1])(
	'rows fail at first, and the next attempt creates them: after %d failures',
	async (count) => {
		const { wait, state, bodies, recordSent } = createBatchRun([good, lost]);
		state.failures[5] = count;
		const record = recordSent(sent, 'reply');
		const awaited = await wait(sent);
		expect(show(awaited)).toStrictEqual([
			[4, 'v1', 'b1'],
			[5, failure],
		]);
		expect(awaited.isRepeatedLater).toBe(true);
		expect(state.failures).toStrictEqual({ 5: count + 1 });
		// The other row stays in the request, and its result is known.
		expect(record).toMatchObject({ sent: ['4'], outcome: { result: 'reply' } });
		expect(bodies).toStrictEqual([]);
	},
);

test('a batch of which all rows failed is forgotten', async () => {
	const { wait, recordSent } = createBatchRun([lost, lost]);
	const record = recordSent(sent);
	await wait(sent);
	expect(record).toStrictEqual({ origins: ['4', '5'], rejections: 0, sent: [] });
});

test('rows that have failed three times are not created again, and say so', async () => {
	const { wait, state } = createBatchRun([good, lost]);
	state.failures[5] = 2;
	const awaited = await wait(sent);
	const hint =
		'The job was created 3 times and failed each time. The node will not create the job again.';
	expect(awaited).toMatchObject({ isRepeatedLater: false, results: [{}, { hints: [hint] }] });
	expect(state.failures).toStrictEqual({ 5: 2 });
});

describe('a batch that is sent', () => {
	const firstKey = /^n8n-[0-9a-f]{48}$/;

	/** A run whose batches b1, b2 and so on have these rows. */
	function createSendingRun(...batches: IDataObject[][]) {
		const responses = Object.fromEntries(
			batches.map((rows, i) => [`b${i + 1}`, createBatch(...rows)]),
		);
		const replies = Object.keys(responses).map((batch_id) => ({ data: { batch_id } }));
		const run = createRun({ ...responses, v1: { status: 'completed' } }, { replies });
		const send = async () => (await sendPlannedRequest(run.context, sent)).sent[0]!;
		return { ...run, send };
	}

	test.each([
		['some rows', [lost, good], [good], { 4: 1 }, [['5'], ['4']]],
		['all rows', [lost, lost], [good, good], { 4: 1, 5: 1 }, [['4', '5']]],
	])(
		'creates %s again at once with another key, if it is continued',
		async (_, rows, again, failures, inRecords) => {
			const { send, wait, keys, bodies, state } = createSendingRun(rows, again);
			await send();
			forgetAttempt(state.creates);
			const continued = await send();
			expect([continued.creation, bodies.length]).toStrictEqual(['continued', 1]);
			expect((await wait(continued)).isRepeatedLater).toBe(false);
			const [key, other] = keys as string[];
			expect(key).toMatch(firstKey);
			expect(other).toMatch(/^n8n-[0-9a-f]{48}:again:\d$/);
			// Only the same rows have the same first key.
			expect(other?.startsWith(`${key}`)).toBe(again.length === rows.length);
			expect([bodies.length, state.failures]).toStrictEqual([2, failures]);
			expect(Object.values(state.creates).map((record) => record.sent)).toStrictEqual(inRecords);
		},
	);

	test('is created three times at most, and then its rows say so', async () => {
		const allLost = [lost, lost];
		const { send, wait, keys, state } = createSendingRun(allLost, allLost, allLost);
		const attempts: unknown[] = [];
		for (let attempt = 0; attempt < 4; attempt++) {
			forgetAttempt(state.creates);
			const part = await send();
			const { results, isRepeatedLater } = await wait(part);
			const hints = results.map((result) => ('error' in result ? result.hints : 'no error'));
			attempts.push([part.creation, isRepeatedLater, ...hints]);
		}
		const hint =
			'The job was created 3 times and failed each time. The node will not create the job again.';
		expect(attempts).toStrictEqual([
			['created', true, undefined, undefined],
			['created', true, undefined, undefined],
			['created', false, [hint], [hint]],
			['continued', false, [hint], [hint]],
		]);
		const [key] = keys as string[];
		expect(keys).toStrictEqual([
			expect.stringMatching(firstKey),
			`${key}:again:2`,
			`${key}:again:4`,
		]);
		expect(state.failures).toStrictEqual({ 4: 2, 5: 2 });
	});
});

describe('the next attempt', () => {
	/** Waits for a batch that an earlier attempt has sent. */
	async function waitAgain(rows: IDataObject[], more: IDataObject = {}, settings: Settings = {}) {
		const run = createBatchRun(rows, more, settings);
		run.recordSent(sent);
		return { ...run, awaited: await run.wait({ ...sent, creation: 'continued' }) };
	}
	const replies = () => [{ data: { batch_id: 'b2' } }];

	test('creates only the failed rows again, and waits for them', async () => {
		const more = { b2: createBatch({ ...good, video_id: 'v2' }), v2: { status: 'completed' } };
		const { awaited, bodies, paths } = await waitAgain([lost, good], more, { replies: replies() });
		expect(show(awaited)).toStrictEqual([
			[5, 'v1', 'b1'],
			[4, 'v2', 'b2'],
		]);
		expect(awaited).toMatchObject({ isRepeatedLater: false });
		expect(bodies).toStrictEqual([{ videos: [{ script: '0' }] }]);
		expect(paths).toStrictEqual(['b1', 'v1', 'b2', 'v2']);
	});

	test('is followed by another one if the rows fail again', async () => {
		const more = { b2: createBatch(lost) };
		const { awaited, state } = await waitAgain([good, lost], more, { replies: replies() });
		expect(show(awaited)).toStrictEqual([
			[4, 'v1', 'b1'],
			[5, failure],
		]);
		expect(awaited.isRepeatedLater).toBe(true);
		expect(state.failures).toStrictEqual({ 5: 2 });
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
			const { awaited, bodies } = await waitAgain(
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
		const { awaited } = await waitAgain([lost, lost], {}, { replies: [error] });
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
		const { awaited } = await waitAgain([lost, lost], { b2: createBatch(lost) }, settings);
		expect(show(awaited)).toStrictEqual([
			[4, error.message, 'b1'],
			[5, failure],
		]);
		expect(awaited.isRepeatedLater).toBe(false);
	});

	test('fails the rows if the response is of no use', async () => {
		const { awaited } = await waitAgain([lost, lost], {}, { replies: [{ data: {} }] });
		expect(show(awaited)).toStrictEqual([
			[4, 'The service accepted the request but returned no batch_id', 'b1'],
		]);
		expect(awaited).toMatchObject({ isRepeatedLater: false, results: [{ otherItems: [5] }] });
	});

	test('fails the rows if the status of the new batch cannot be read', async () => {
		const error = createServiceError(node, { status: 403, code: 'forbidden' });
		const more = { b2: error as never };
		const { awaited } = await waitAgain([good, lost], more, { replies: replies() });
		expect(show(awaited)).toStrictEqual([
			[4, 'v1', 'b1'],
			[5, error.message, 'b1'],
		]);
	});
});
