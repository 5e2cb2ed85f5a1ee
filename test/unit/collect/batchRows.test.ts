/** Which rows of a finished batch are created again. */
import type { IDataObject } from 'n8n-workflow';
import { matchRows, selectRetryableItems } from '../../../nodes/core/collect/batchRows';
import type { SentRequest } from '../../../nodes/core/plan/groupRequests';
import { videoJob } from '../../../nodes/jobKinds/catalog';

/** A request for the items 4, 5 and so on, each of which has N rows. */
const createRequest = (...counts: number[]) =>
	({
		items: counts.map((count, i) => ({ item: 4 + i, values: { count } })),
		operation: { combine: { getSize: ({ count }: IDataObject) => count } },
		values: {},
	}) as unknown as SentRequest;

const good = { status: 'completed' };
const lost = { status: 'failed', failure_code: 'render_failed' };
const rejected = { status: 'failed', failure_code: 'content_policy_violation' };

const toItems = (...entries: IDataObject[]) => ({
	items: entries.map((entry, item_index) => ({ item_index, ...entry })),
});

const select = (request: SentRequest, ...entries: IDataObject[]) =>
	selectRetryableItems(request, videoJob, matchRows(request, videoJob, toItems(...entries)));

test.each([
	['rows that failed for a transient reason', createRequest(1, 1, 1), [good, lost, rejected], [5]],
	['a row without a code or a reason', createRequest(1), [{ status: 'failed' }], [4]],
	['a row of which the service returned nothing', createRequest(1, 1), [lost], [4]],
	['only items whose rows all failed', createRequest(2, 2), [good, lost, lost, lost], [5]],
])('creates %s again', (_, request, entries, expected) => {
	expect(select(request, ...entries).map(({ item }) => item)).toStrictEqual(expected);
});

test('no row is created again if none failed, or none for a transient reason', () => {
	expect(select(createRequest(1, 1), good, good)).toStrictEqual([]);
	expect(select(createRequest(1, 1), good, rejected)).toStrictEqual([]);
});
