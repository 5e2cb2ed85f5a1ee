/** Batch rows that an earlier run has paid for, and the batches that contain them. */
import type { INode } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import { findBatchesPaidByOtherRuns, markRowAsPaid } from '../../../nodes/core/send/paidRows';
import { videoBatchJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
const error = (status: number) => createOperationError(node, `${status}`, [], { status });

afterEach(() => jest.restoreAllMocks());

/** A client for a service that has all batches except for those that cannot be read. */
function createClient(unreadable: Record<string, unknown> = {}) {
	const fetchData = jest.fn(async ({ path }: { path: { batch_id: string } }) => {
		const { [path.batch_id]: problem } = unreadable;
		if (problem !== undefined) throw problem;
		return await Promise.resolve({ id: path.batch_id });
	});
	return { client: { node, fetchData } as unknown as Client, fetchData };
}

const find = async (client: Client, ...keys: string[]) =>
	await findBatchesPaidByOtherRuns(
		client,
		videoBatchJob,
		'run',
		keys.map((key, i) => ({ item: i + 10, key })),
	);

test('rows that another run has paid for are listed by batch', async () => {
	markRowAsPaid('list-a', { batchId: 'b1', batchSize: 5, indexes: [3, 4], run: 'other' });
	markRowAsPaid('list-b', { batchId: 'b2', batchSize: 1, indexes: [0], run: 'other' });
	markRowAsPaid('list-c', { batchId: 'b1', batchSize: 5, indexes: [0], run: 'other' });
	markRowAsPaid('list-d', { batchId: 'b3', batchSize: 1, indexes: [0], run: 'run' });
	const { client, fetchData } = createClient();
	expect(await find(client, 'list-a', 'list-new', 'list-b', 'list-c', 'list-d')).toStrictEqual([
		{
			id: 'b1',
			size: 5,
			rows: [
				{ item: 10, index: 3 },
				{ item: 10, index: 4 },
				{ item: 13, index: 0 },
			],
		},
		{ id: 'b2', size: 1, rows: [{ item: 12, index: 0 }] },
	]);
	expect(fetchData.mock.calls.map(([request]) => request)).toStrictEqual(
		['b1', 'b2'].map((batch_id) => ({
			line: videoBatchJob.read,
			path: { batch_id },
			query: videoBatchJob.query,
		})),
	);
	expect(await find(client)).toStrictEqual([]);
});

test('a batch that no longer exists is left out, and another error ends the search', async () => {
	markRowAsPaid('error-a', { batchId: 'b1', batchSize: 1, indexes: [0], run: 'other' });
	markRowAsPaid('error-b', { batchId: 'b2', batchSize: 1, indexes: [0], run: 'other' });
	const batches = await find(createClient({ b1: error(404) }).client, 'error-a', 'error-b');
	expect(batches.map(({ id }) => id)).toStrictEqual(['b2']);
	const denied = error(403);
	await expect(find(createClient({ b2: denied }).client, 'error-a', 'error-b')).rejects.toBe(
		denied,
	);
	await expect(find(createClient({ b1: 'Broken' }).client, 'error-a')).rejects.toMatchObject({
		name: 'NodeOperationError',
		message: 'Broken',
	});
});

test('a paid row is remembered for 24 hours', async () => {
	const now = jest.spyOn(clock, 'now').mockReturnValue(0);
	markRowAsPaid('day', { batchId: 'b1', batchSize: 1, indexes: [0], run: 'other' });
	const count = async (hours: number) => {
		now.mockReturnValue(hours * 3600_000);
		return (await find(createClient().client, 'day')).length;
	};
	expect([await count(24), await count(24.001)]).toStrictEqual([1, 0]);
});
