/** The idempotency keys and the files of a request. */
import type { Operation } from '../../../nodes/core/operation';
import {
	createHashedKey,
	isGeneratedKeyForRows,
} from '../../../nodes/core/plan/deriveIdempotencyKeys';
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

	test('count by their content in the key of Pay Once Per: Same Request', async () => {
		const { send, requests, state } = createRun(() => ({ data: {} }));
		const operation = createOperation({ fields: [field('a')], idempotent: true });
		for (const name of ['data', 'data', 'other']) {
			await send(createRequest(operation, [{ a: image({ field: name }), payOncePer: 'request' }]));
			state.keys.clear();
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
		const { send, requests, startedJobs, firstPaidRequestGate } = createRun(() => ({
			data: { batch_id: 'b' },
		}));
		const values = ['1', '2', '3'].map((a) => ({ a }));
		const request = createRequest(rows, values);
		const first = (await send(request)).sent[0]!;
		expect(requests).toMatchObject([
			{ line: 'POST /things', capacity: { name: 'jobs' }, body: { rows: values } },
		]);
		const identities = values.map((row) => ({ digest: createHashedKey([{}, row]) }));
		expect(isGeneratedKeyForRows(requests[0]?.idempotencyKey ?? '', identities)).toBe(true);
		expect([first.replies, first.jobs]).toStrictEqual([
			[{ json: { batch_id: 'b' } }],
			[{ kind: videoBatchJob, id: 'b' }],
		]);
		expect(firstPaidRequestGate.releaseOthers).toHaveBeenCalledWith(request);
		expect(startedJobs.add).toHaveBeenCalledTimes(1);
	});
});

test('the callback URL of the execution is sent, but does not change the key', async () => {
	const values = { callBackHere: true, waitForCompletion: false, payOncePer: 'request' };
	const { send, requests, firstPaidRequestGate } = createRun(() => ({ data: { id: 'v' } }));
	const request = createRequest(starting(), [values]);
	await send(request);
	expect(requests).toMatchObject([
		{
			body: { callback_url: 'https://n8n.example/wait/3/videogen' },
			idempotencyKey: createHashedKey(['node', 'POST /things', {}]),
		},
	]);
	expect(firstPaidRequestGate.releaseOthers.mock.calls).toStrictEqual([[request]]);
});
