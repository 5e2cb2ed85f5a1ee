/** The idempotency keys and the files of a request. */
import type { INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Operation } from '../../../nodes/core/operation';
import { isGeneratedKeyForRows } from '../../../nodes/core/plan/deriveIdempotencyKeys';
import { createHashedKey } from '../../../nodes/core/digest';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';
import { createOperation, createRequest, createRun } from './plannedRequests';

const field = (name: string) => ({ name, displayName: name, type: 'string', default: '' }) as const;
const starting = (more: Partial<Operation> = {}) =>
	createOperation({ starts: videoJob, idempotent: true, ...more });

describe('the files of a request', () => {
	const image = (more = {}) => ({ type: 'binary', field: 'data', ...more });

	test('are uploaded, and their IDs are sent', async () => {
		const { send, requests, upload, n8n, client } = createRun(() => ({ data: {} }));
		const operation = createOperation({ fields: [field('a'), field('b')], repeatable: true });
		await send(
			createRequest(operation, [{ a: image(), b: [image({ item: 5, as: 'id', field: 'b' })] }]),
		);
		expect(requests[0]?.body).toStrictEqual({
			a: { type: 'asset_id', asset_id: 'asset 1' },
			b: ['asset 2'],
		});
		const context = { n8n, client, keys: expect.anything() };
		expect(upload.mock.calls).toStrictEqual([
			[{ ...context, itemIndex: 3 }, 'data'],
			[{ ...context, itemIndex: 5 }, 'b'],
		]);
	});

	test('count by their content in the key of Pay Once Per: Unique Request', async () => {
		const { send, requests, state } = createRun(() => ({ data: {} }));
		const operation = createOperation({ fields: [field('a')], idempotent: true });
		for (const name of ['data', 'data', 'other']) {
			await send(createRequest(operation, [{ a: image({ field: name }), payOncePer: 'request' }]));
			for (const record of Object.values(state.creates)) delete record.key;
		}
		const [first, second, third] = requests.map(({ idempotencyKey }) => idempotencyKey);
		expect([second === first, third === first]).toStrictEqual([true, false]);
		const content = { a: { type: 'asset_id', asset_id: 'content of data' } };
		expect(first).toBe(createHashedKey(['node', 'POST /things', content]));
	});
});

describe('a batch', () => {
	const rows = starting({
		starts: videoBatchJob,
		fields: [field('a')],
		combine: {
			maxSize: 9,
			rows: videoJob,
			list: 'rows',
			body: (all) => ({ rows: all.map(({ payload }) => payload) }),
		},
	});

	test('is sent with a key for its rows', async () => {
		const { send, requests, startedJobs } = createRun(() => ({
			data: { batch_id: 'b' },
		}));
		const values = ['1', '2', '3'].map((a) => ({ a }));
		const request = createRequest(rows, values);
		const first = (await send(request)).sent[0]!;
		expect(requests).toMatchObject([
			{ line: 'POST /things', capacity: { name: 'jobs' }, body: { rows: values } },
		]);
		const identities = values.map((row) => createHashedKey([{}, row]));
		expect(isGeneratedKeyForRows(requests[0]?.idempotencyKey ?? '', identities)).toBe(true);
		expect([first.replies, first.jobs]).toStrictEqual([
			[{ json: { batch_id: 'b' } }],
			[{ kind: videoBatchJob, id: 'b' }],
		]);
		expect(startedJobs.add).toHaveBeenCalledTimes(1);
	});
});

describe('once the account accepts no paid requests', () => {
	const rejection = createOperationError({ name: 'Node' } as INode, 'No credit', undefined, {
		status: 402,
	});

	test('no further one is sent', async () => {
		const { send, requests, payment, state } = createRun(() => ({ data: { id: 'v' } }));
		payment.abort(rejection);
		await expect(send(createRequest(starting()))).rejects.toBe(rejection);
		await send(createRequest(createOperation({ repeatable: true })));
		expect(requests).toHaveLength(1);
		// Its key may belong to a request whose response was lost, so it must not change.
		expect(Object.values(state.creates)).toMatchObject([{ sent: [], rejections: 0 }]);
	});

	test('the others may follow after each success, but not after a failure', async () => {
		const { send, releaseOthers, payment } = createRun(() => ({ data: { id: 'v' } }));
		await send(createRequest(starting()));
		expect(releaseOthers).toHaveBeenCalledTimes(1);
		payment.abort(rejection);
		await expect(send(createRequest(starting({ request: 'POST /b' })))).rejects.toBe(rejection);
		expect(releaseOthers).toHaveBeenCalledTimes(1);
	});

	test('one that waits for its turn fails for the same reason', async () => {
		const stopped = createOperationError({ name: 'Node' } as INode, 'Stopped', undefined, {
			code: 'stopped',
		});
		const { send, payment, state } = createRun(({ turnSignal }) => {
			payment.abort(rejection);
			expect(turnSignal?.aborted).toBe(true);
			throw stopped;
		});
		await expect(send(createRequest(starting()))).rejects.toBe(rejection);
		expect(Object.values(state.creates)).toMatchObject([{ rejections: 0 }]);
	});
});
