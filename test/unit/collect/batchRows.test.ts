/** Which rows of a finished batch are created again. */
import type { IDataObject } from 'n8n-workflow';
import { planRetryOfFailedRows } from '../../../nodes/core/collect/batchRows';
import type { SentRequest } from '../../../nodes/core/send/sentRequest';
import { videoJob } from '../../../nodes/jobs/catalog';

/** A request for the items 4, 5 and so on, each of which has N rows. */
const createRequest = (...counts: number[]) =>
	({
		itemIndexes: counts.map((_, i) => 4 + i),
		itemValues: counts.map((count) => ({ count })),
		operation: { combine: { getSize: ({ count }: IDataObject) => count } },
		values: {},
	}) as unknown as SentRequest;

const good = { status: 'completed' };
const lost = { status: 'failed', failure_code: 'render_failed' };
const refused = { status: 'failed', failure_code: 'content_policy_violation' };

const toItems = (...entries: IDataObject[]) => ({
	items: entries.map((entry, item_index) => ({ item_index, ...entry })),
});

const plan = (request: SentRequest, ...entries: IDataObject[]) =>
	planRetryOfFailedRows(request, videoJob, toItems(...entries));

test('rows that failed for a transient reason are created again, with their own values', () => {
	expect(plan(createRequest(1, 1, 1), good, lost, refused)).toMatchObject({
		itemIndexes: [5],
		itemValues: [{ count: 1 }],
		values: { count: 1 },
		retry: 1,
	});
	expect(plan({ ...createRequest(1, 1), retry: 1 }, lost, lost)).toMatchObject({
		itemIndexes: [4, 5],
		retry: 2,
	});
});

test('no row is created again if none failed, or none for a transient reason', () => {
	expect(plan(createRequest(1, 1), good, good)).toBeUndefined();
	expect(plan(createRequest(1, 1), good, refused)).toBeUndefined();
});

test('a failure without a code or a reason counts as transient', () => {
	expect(plan(createRequest(1), { status: 'failed' })).toMatchObject({ itemIndexes: [4] });
});

test('an item with several rows is created again only if all of them failed', () => {
	expect(plan(createRequest(2, 2), good, lost, lost, lost)).toMatchObject({ itemIndexes: [5] });
});

test('a row of which the service returned nothing is not created again', () => {
	expect(plan(createRequest(1, 1), lost)).toMatchObject({ itemIndexes: [4] });
});
