/**
 * Matches batch rows with the input items they were created for, fetches their results and plans
 * the retry of failed rows.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { fetchBatchRowItem, readJobOfBatchEntry } from '../jobs/finishedItem';
import { describeFailure, isTransientFailure, readState } from '../jobs/state';
import { toJobReference, type Job, type JobKind } from '../jobs/types';
import { readObjects } from '../json';
import type { PlannedRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendRequest';
import { processParts, type ItemResult } from './collectItems';

/** Row of a batch, with the index of the input item that it was created for. */
export interface BatchRow {
	/** Index of the input item. */
	item: number;
	/** The row as listed in the status response of the batch. */
	entry: IDataObject;
}

/**
 * Returns the rows of a batch in the order in which they were sent, each with the index of its
 * input item.
 */
export function matchRowsToItems(
	{
		itemIndexes,
		itemValues,
		operation,
	}: Pick<PlannedRequest, 'itemIndexes' | 'itemValues' | 'operation'>,
	entries: readonly IDataObject[],
): BatchRow[] {
	const owners = itemIndexes.flatMap((item, i) =>
		Array<number>(operation.combine?.getSize?.(itemValues[i] ?? {}) ?? 1).fill(item),
	);
	return owners.map((item, index) => ({
		item,
		entry: entries.find(({ item_index }) => item_index === index) ?? { item_index: index },
	}));
}

/**
 * Creates the output items for a batch that may still be in progress, because the node does not
 * wait for it.
 */
export const createUnawaitedBatchItems = (
	request: PlannedRequest,
	batch: Job,
	reply: IDataObject,
): INodeExecutionData[] =>
	matchRowsToItems(request, []).map(({ item, entry }) => ({
		json: { ...reply, ...entry, job: toJobReference(batch) },
		pairedItem: { item },
	}));

/** Returns whether a batch row failed for a transient reason, so that a retry may succeed. */
const hasFailedTransiently = (kind: JobKind, entry: IDataObject) =>
	readState(kind, entry) === 'failed' && isTransientFailure(describeFailure(entry), entry);

/**
 * Plans a request that creates failed rows of a batch again if their failures were transient.
 * Returns undefined if there are no such rows.
 */
export function planRetryOfFailedRows(
	request: PlannedRequest,
	kind: JobKind,
	data: IDataObject,
): PlannedRequest | undefined {
	const entries = matchRowsToItems(request, readObjects(data.items));
	// An item is repeated only if all of its rows failed: rows that succeeded would be charged again.
	const failed = request.itemIndexes.flatMap((item, i) => {
		const rows = entries.filter((row) => row.item === item);
		return rows.every(({ entry }) => hasFailedTransiently(kind, entry)) ? [i] : [];
	});
	const itemValues = failed.map((i) => request.itemValues[i] ?? {});
	const [values] = itemValues;
	if (values === undefined) return undefined;
	const itemIndexes = failed.map((i) => request.itemIndexes[i] ?? 0);
	return { ...request, values, itemIndexes, itemValues, retry: (request.retry ?? 0) + 1 };
}

/**
 * Fetches the results of a finished batch, one for each row.
 *
 * @param leftOut indexes of the input items to skip, because their rows are created again
 */
export async function fetchRowItems(
	{ client, startedJobs }: RunContext,
	request: PlannedRequest,
	batch: Job,
	kind: JobKind,
	data: IDataObject,
	leftOut: readonly number[],
): Promise<ItemResult[]> {
	const rows = matchRowsToItems(request, readObjects(data.items)).filter(
		({ item }) => !leftOut.includes(item),
	);
	const findJobs = ({ entry }: BatchRow): Job[] => {
		const job = readJobOfBatchEntry(kind, entry);
		return job ? [job] : [];
	};
	for (const row of rows) startedJobs.add(row.item, findJobs(row));
	return await processParts(
		client.node,
		rows,
		async ({ item, entry }) => {
			const row = await fetchBatchRowItem(client, batch, kind, entry);
			return { ...row, item: { ...row.item, pairedItem: { item } } };
		},
		findJobs,
	);
}
