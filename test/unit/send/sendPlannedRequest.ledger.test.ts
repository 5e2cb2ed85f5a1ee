/** What a run records about its create requests, and what it sends when n8n runs the node again. */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import type { Operation } from '../../../nodes/core/operation';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { createOperation, createRequest, createRun, forgetAttempt } from './plannedRequests';

const field = { name: 'a', displayName: 'A', type: 'string', default: '' } as const;
const starting = (more: Partial<Operation> = {}) =>
	createOperation({ starts: videoJob, idempotent: true, fields: [field], ...more });
const rows = starting({
	starts: videoBatchJob,
	combine: {
		maxSize: 9,
		rows: videoJob,
		list: 'rows',
		body: (all) => ({ rows: all.map(({ payload }) => payload) }),
	},
});
const toValues = (...all: string[]) => all.map((a) => ({ a }));
const group = { origins: ['1.3', '1.4', '1.5'], sizes: [1, 1, 1] };

/** A run whose requests fail with these details in turn. An empty entry stands for success. */
function createFailingRun(...failures: Array<ErrorDetails | undefined>) {
	const run = createRun((_, number) => {
		const details = failures[number - 1];
		if (details) throw createOperationError(run.client.node, 'No', [], details);
		return { data: { id: `id ${number}` } };
	});
	const getKeys = () => run.requests.map(({ idempotencyKey }) => idempotencyKey);
	const getSent = () => Object.values(run.state.creates).flatMap(({ sent }) => sent);
	/** Items that were sent together. */
	const getGroups = () =>
		Object.values(run.state.creates).flatMap(({ sizes, sent }) =>
			sizes && sent.length > 0 ? [{ origins: sent, sizes }] : [],
		);
	const getOutcomes = () =>
		Object.values(run.state.creates).flatMap(({ outcome }) => outcome ?? []);
	const getRejections = () => Object.values(run.state.creates).map(({ rejections }) => rejections);
	return { ...run, getKeys, getSent, getGroups, getOutcomes, getRejections };
}

describe('a request with an idempotency key', () => {
	const request = createRequest(starting(), toValues('1'));

	test('is sent once: then its response is known, whatever its values are', async () => {
		const { send, state, requests, startedJobs, getSent, getGroups, getOutcomes } =
			createFailingRun();
		const replies = [await send(request)];
		forgetAttempt(state.creates);
		replies.push(await send(createRequest(starting(), toValues('2'))));
		const sent = replies.flatMap((one) => one.sent);
		expect(sent.map(({ creation, jobs }) => [creation, jobs])).toStrictEqual(
			['created', 'continued'].map((creation) => [creation, [{ kind: videoJob, id: 'id 1' }]]),
		);
		expect(requests.map(({ body }) => body)).toStrictEqual([{ a: '1' }]);
		expect(startedJobs.logPaidRequest).toHaveBeenCalledTimes(1);
		expect([getSent(), getGroups()]).toStrictEqual([['1.3'], []]);
		expect(getOutcomes()).toStrictEqual([{ result: { data: { id: 'id 1' } } }]);
	});

	test('is sent again with its key if the response was lost', async () => {
		const { send, getKeys, getSent, getOutcomes } = createFailingRun({ uncertain: true });
		await expect(send(request)).rejects.toThrow('No');
		expect([getSent(), getOutcomes()]).toStrictEqual([['1.3'], []]);
		await send(createRequest(starting(), toValues('2')));
		const [key] = getKeys();
		expect(getKeys()).toStrictEqual([key, key]);
		expect(key).toMatch(/^n8n-/);
	});

	test('is sent again with another key after each rejection', async () => {
		const run = createFailingRun({ status: 400 }, { status: 422 });
		const { send, getKeys, getSent, getRejections } = run;
		for (const count of [1, 2]) {
			await expect(send(request)).rejects.toThrow('No');
			expect([getRejections(), getSent()]).toStrictEqual([[count], []]);
		}
		await send(request);
		const [key] = getKeys();
		expect(getKeys()).toStrictEqual([key, `${key}:again:1`, `${key}:again:2`]);
		expect(getSent()).toStrictEqual(['1.3']);
	});

	test.each([429, 500, '400'])('is sent again with its key after the status %j', async (status) => {
		const { send, getKeys, getSent } = createFailingRun({ status });
		await expect(send(request)).rejects.toThrow('No');
		await send(request);
		expect(new Set(getKeys()).size).toBe(1);
		expect(getSent()).toStrictEqual(['1.3']);
	});
});

test('a request without a key is not sent again if its response was lost', async () => {
	const { send, requests, getSent } = createFailingRun({ uncertain: true });
	const request = createRequest(starting({ idempotent: undefined }), toValues('1'));
	await expect(send(request)).rejects.toThrow('No');
	await expect(send(request)).rejects.toMatchObject({ context: { details: { uncertain: true } } });
	expect([requests.length, getSent()]).toStrictEqual([1, ['1.3']]);
});

test.each([
	['with a key is sent again with this key', true as const, 2],
	['without a key is not sent again', undefined, 1],
])('a request whose response has no job ID, %s', async (_, idempotent, count) => {
	const { send, requests, state } = createRun(() => ({ data: {} }));
	const request = createRequest(starting({ idempotent }), toValues('1'));
	for (const attempt of [1, 2]) {
		await expect(send(request)).rejects.toThrow('returned no video_id');
		const outcomes = Object.values(state.creates).flatMap(({ outcome }) => outcome ?? []);
		expect([attempt, outcomes.length]).toStrictEqual([attempt, idempotent ? 0 : 1]);
	}
	expect(requests).toHaveLength(count);
	expect(new Set(requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
	expect(Object.values(state.creates)).toMatchObject([{ sent: ['1.3'] }]);
});

test('a request that only reads is not recorded', async () => {
	const { send, requests, state } = createFailingRun();
	const request = createRequest(createOperation({ request: 'GET /things' }));
	await send(request);
	await send(request);
	expect([requests.length, state.creates]).toStrictEqual([2, {}]);
});

describe('a batch', () => {
	const batch = createRequest(rows, toValues('1', '2', '3'));
	const again = (all: IDataObject[], items: Array<number | undefined>) => {
		const present = items.flatMap((item) => (item === undefined ? [] : [item]));
		return {
			...createRequest(rows, all),
			items: all.map((values, i) => ({ item: present[i] ?? 0, values })) as (typeof batch)['items'],
			sentGroup: { ...group, items },
		};
	};

	test('is sent once, and its rows are known even if some are missing', async () => {
		const { send, state, requests, getGroups } = createFailingRun();
		await send(batch);
		forgetAttempt(state.creates);
		expect(getGroups()).toStrictEqual([group]);
		const requestsAgain = [
			again(toValues('changed', 'b', 'c'), [3, 4, 5]),
			again(toValues('changed'), [undefined, 4, undefined]),
		];
		for (const request of requestsAgain) {
			const { sent, failures } = await send(request);
			expect(sent).toStrictEqual([
				{
					...request,
					replies: [{ json: { id: 'id 1' } }],
					jobs: [{ kind: videoBatchJob, id: 'id 1' }],
					creation: 'continued',
				},
			]);
			expect(failures).toStrictEqual([]);
		}
		expect([requests.length, getGroups()]).toStrictEqual([1, [group]]);
	});

	test('whose response was lost is sent again with its key, as a whole only', async () => {
		const { send, requests, getKeys, getGroups } = createFailingRun({ uncertain: true });
		expect((await send(batch)).failures).toMatchObject([{ item: 3, otherItems: [4, 5] }]);
		expect(getGroups()).toStrictEqual([group]);
		await expect(send(again(toValues('1', '2'), [3, 4, undefined]))).rejects.toMatchObject({
			message:
				"The response for this row's batch was lost, and other rows of the batch are missing from the input",
			context: { details: { code: 'unknown_row', uncertain: true } },
		});
		expect(requests).toHaveLength(1);
		const { sent } = await send(again(toValues('x', 'y', 'z'), [3, 4, 5]));
		expect(sent).toMatchObject([{ jobs: [{ id: 'id 2' }] }]);
		expect(requests[1]?.body).toStrictEqual({ rows: toValues('x', 'y', 'z') });
		expect(new Set(getKeys()).size).toBe(1);
		expect(getGroups()).toStrictEqual([group]);
	});

	test('whose response was lost is not sent in parts, even if a row is rejected then', async () => {
		const rejection = { status: 400, param: 'rows[1].a' };
		const { send, requests, getGroups } = createFailingRun({ uncertain: true }, rejection);
		await send(batch);
		await expect(send(again(toValues('1', '2', '3'), [3, 4, 5]))).rejects.toThrow('No');
		expect([requests.length, getGroups()]).toStrictEqual([2, [group]]);
	});

	test('that was rejected leaves nothing but the number of rejections', async () => {
		const { send, getKeys, getGroups, getRejections } = createFailingRun({ status: 402 });
		expect((await send(batch)).failures).toMatchObject([{ item: 3, otherItems: [4, 5] }]);
		expect([getGroups(), getRejections()]).toStrictEqual([[], [1]]);
		await send(batch);
		const [key] = getKeys();
		expect(getKeys()).toStrictEqual([key, `${key}:again:1`]);
	});

	test('of which a row was rejected has only the other rows', async () => {
		const rejection = { status: 400, param: 'rows[1].a' };
		const { send, requests, getGroups } = createFailingRun(rejection);
		const { sent, failures } = await send(batch);
		expect(failures).toMatchObject([{ item: 4, otherItems: [] }]);
		expect(sent).toMatchObject([{ items: [{ item: 3 }, { item: 5 }] }]);
		expect(requests.map(({ body }) => body)).toStrictEqual([
			{ rows: toValues('1', '2', '3') },
			{ rows: toValues('1', '3') },
		]);
		expect(getGroups()).toStrictEqual([{ origins: ['1.3', '1.5'], sizes: [1, 1] }]);
	});

	test.each([
		[409, undefined, [['1.3'], ['1.4'], ['1.5']]],
		[425, 'rows[1].a', [['1.3', '1.5']]],
	])(
		'that was not certainly rejected (%d) is sent in parts, to which its rows belong',
		async (...row) => {
			const [status, param, parts] = row;
			const { send, getGroups } = createFailingRun({ status, param });
			await send(batch);
			expect(getGroups().map(({ origins }) => origins)).toStrictEqual(parts);
		},
	);
});
