/** The jobs that a request starts. */
import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../../nodes/core/operation';
import { getIdempotencyKeyInputs } from '../../../nodes/core/plan/deriveIdempotencyKeys';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { createOperation, createRequest, createRun, forgetAttempt } from './plannedRequests';

const starting = (more: Partial<Operation> = {}) =>
	createOperation({ starts: videoJob, idempotent: true, ...more });
const video = (id: string) => ({ kind: videoJob, id });

test.each<[string, Partial<Operation>, IDataObject, unknown[]]>([
	['under its own key', {}, { video_id: 'v', id: 'x' }, [video('v')]],
	['as `id`', {}, { id: 'x' }, [video('x')]],
	['as a number', {}, { video_id: 5 }, [video('5')]],
	[
		'of a kind that the response decides',
		{ starts: () => agentSessionJob },
		{ session_id: 's' },
		[{ kind: agentSessionJob, id: 's' }],
	],
	[
		'of several jobs',
		{ starts: ({ ids }) => (ids as string[]).map(video) },
		{ ids: ['a', 'b'] },
		[video('a'), video('b')],
	],
	['of no job', { starts: () => [] }, { id: 'x' }, []],
	['of nothing that is a job', { starts: undefined }, { id: 'x' }, []],
])('an ID %s is recorded', async (_, more, data, jobs) => {
	const { send, startedJobs, requests } = createRun(() => ({ data }));
	const { sent } = await send(createRequest(starting(more)));
	expect(sent.map((one) => one.jobs)).toStrictEqual([jobs]);
	const source = { item: 3, origin: requests[0]?.idempotencyKey, key: requests[0]?.idempotencyKey };
	expect(startedJobs.addSource.mock.calls).toStrictEqual([[source, jobs]]);
	expect(startedJobs.add.mock.calls).toStrictEqual([[3, jobs]]);
	const isPaid = !('starts' in more && more.starts === undefined);
	expect(startedJobs.logPaidRequest).toHaveBeenCalledTimes(isPaid ? 1 : 0);
});

test('a response without the ID of its job is an error', async () => {
	const { send } = createRun(() => ({ data: { status: 'ok', id: '' } }));
	await expect(send(createRequest(starting()))).rejects.toMatchObject({
		message: 'The service accepted the request but returned no video_id',
		description:
			"Something may have been created. Check the service's list before you run the workflow again.",
	});
});

test('a job that the user named may be returned for several items', async () => {
	const { send, startedJobs } = createRun(() => ({ data: { video_id: 'v' } }));
	await send(createRequest(starting(), [{}, { earlier: { id: 'v' } }]));
	await send(createRequest(starting(), [{ title: 'a v' }]));
	const calls = startedJobs.addSource.mock.calls as unknown as unknown[][];
	expect(calls.map(([, jobs]) => jobs)).toStrictEqual([[], [video('v')]]);
});

test.each([
	['n', {}, 3600],
	['nTool', {}, 300],
	['nTool', { waitForCapacity: 2 }, 120],
	['n', { waitForCapacity: '0' }, 0],
])(
	'a node of the type %s with %j waits for capacity for %d seconds',
	async (type, values, maxWait) => {
		const { send, requests } = createRun(() => ({ data: { id: 'v' } }), type);
		await send(createRequest(starting(), [values]));
		await send(createRequest(createOperation({ request: 'POST /others' }), [values]));
		expect(requests.map(({ capacity }) => capacity)).toStrictEqual([
			{ name: 'jobs', maxWait },
			undefined,
		]);
	},
);

test.each([
	['with the path and its first name', 1, { line: 'POST /a/{x} 7' }],
	['with another number', 2, { line: 'POST /a/{x} 7', name: 'request 2' }],
])('a request %s has an identity of its own', (_, number, identity) => {
	const operation = createOperation({ request: 'POST /a/{x}' });
	const request = createRequest(operation, [{ x: 7 }]);
	expect(getIdempotencyKeyInputs(request, number)).toStrictEqual(identity);
});

describe('a create request without an idempotency key', () => {
	test('is sent once, and its jobs are known by the request', async () => {
		const { send, state, requests, startedJobs } = createRun((_, number) => ({
			data: { id: `v${number}` },
		}));
		const request = createRequest(starting({ idempotent: undefined }));
		const { sent: replies } = await send(request);
		forgetAttempt(state.creates);
		replies.push(...(await send(request)).sent);
		expect(replies.map(({ jobs }) => jobs)).toStrictEqual([[video('v1')], [video('v1')]]);
		expect(replies.map(({ creation }) => creation)).toStrictEqual(['created', 'continued']);
		expect([requests.length, requests[0]?.idempotencyKey]).toStrictEqual([1, undefined]);
		const [[first], [second]] = startedJobs.addSource.mock.calls as unknown as [[object], [object]];
		expect(second).toStrictEqual({
			item: 3,
			origin: expect.stringMatching(/^n8n-/),
			key: undefined,
		});
		expect(first).toStrictEqual(second);
	});

	test('shares the jobs of other requests with the same ID in their path', async () => {
		const { send, startedJobs } = createRun(() => ({ data: { id: 'v' } }));
		const chat = starting({ idempotent: undefined, request: 'POST /a/{x}' });
		await send(createRequest(chat, [{ x: 7 }]));
		await send(createRequest({ ...chat, idempotent: true }, [{ x: 7 }]));
		await send(createRequest({ ...chat, request: 'GET /a/{x}' }, [{ x: 7 }]));
		const sources = startedJobs.addSource.mock.calls as unknown as Array<[{ origin: string }]>;
		const created = expect.stringMatching(/^n8n-/) as string;
		expect(sources.map(([{ origin }]) => origin)).toStrictEqual([
			'POST /a/{x} 7',
			created,
			created,
		]);
	});
});
