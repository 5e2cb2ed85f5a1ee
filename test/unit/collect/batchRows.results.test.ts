/** The results of a batch: an item or an error for each row, and the jobs that it has started. */
import type { IDataObject, INode } from 'n8n-workflow';
import { fetchRowResults, matchRows } from '../../../nodes/core/collect/batchRows';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import type { RunContext } from '../../../nodes/core/send/sendPlannedRequest';
import type { SentRequest } from '../../../nodes/core/plan/groupRequests';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const batch = { kind: videoBatchJob, id: 'b' };
const video = (id: string) => ({ kind: videoJob, id });
const values = (count: number) => ({ count });
const request = {
	items: [
		{ item: 4, values: values(1) },
		{ item: 5, values: values(2) },
	],
	operation: { combine: { getSize: ({ count }: IDataObject) => count } },
	values: values(1),
	creation: 'continued',
	jobs: [batch],
} as unknown as SentRequest;
const lost = { status: 'failed', failure_code: 'render_failed' };

async function fetchResults(leftOut: number[], items: IDataObject[]) {
	const client = {
		node: { name: 'Node' } as INode,
		fetchData: async ({ path }: ServiceRequest) => ({ id: path?.video_id, status: 'completed' }),
	};
	const add = jest.fn();
	const rows = matchRows(request, videoJob, { items });
	const context = { client, startedJobs: { add } } as unknown as RunContext;
	const results = await fetchRowResults(context, request, videoJob, rows, leftOut);
	return { results, added: add.mock.calls as unknown[][] };
}

const createResult = (item: number, id: string, item_index: number) => {
	const data = { id, status: 'completed' };
	const ids = { video_id: id, batch_id: 'b', item_index };
	return {
		...{ item, creation: 'continued' },
		output: {
			json: { ...ids, ...data, job: { kind: 'video', id } },
			pairedItem: { item },
		},
		result: { ...video(id), data },
	};
};

const createFailure = (item: number, index: number, jobs: unknown[]) => ({
	...{ item, error: expect.anything(), jobs, creation: 'continued' },
	rows: [{ item, index }],
});

test('each row has a result with its place in the batch, and its job is recorded', async () => {
	const items = [{ video_id: 'v0' }, { ...lost, video_id: 'v1' }, { status: 'completed' }];
	const { results, added } = await fetchResults([], items);
	expect(results).toStrictEqual([
		createResult(4, 'v0', 0),
		createFailure(5, 1, [video('v1')]),
		createFailure(5, 2, []),
	]);
	expect(results.slice(1)).toMatchObject([
		{ error: { message: 'The video for this row failed: The service gave no reason' } },
		{ error: { message: 'The service returned nothing for this row' } },
	]);
	expect(added).toStrictEqual([
		[4, [video('v0')]],
		[5, [video('v1')]],
		[5, []],
	]);
});

test('rows that are created again have no result yet', async () => {
	const { results, added } = await fetchResults([5], [{ video_id: 'v0' }, lost, lost]);
	expect(results).toStrictEqual([createResult(4, 'v0', 0)]);
	expect(added).toStrictEqual([[4, [video('v0')]]]);
});
