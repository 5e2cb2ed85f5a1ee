/** Matches the rows of a batch with input items, and finds the rows that failed. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { fetchRowItem, readJobOfBatchEntry } from '../jobs/finishedItem';
import { describeFailure, isTransientFailure, readState } from '../jobs/state';
import { toJobReference, type Job, type JobKind } from '../jobs/types';
import { readObjects } from '../json';
import type { PlannedRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendRequest';
import { settleParts, type ItemResult } from './collectItems';

/** Batch entry with the input item that it was created for. */
export interface BatchEntry {
	/** Index of the input item. */
	item: number;
	/** Row as the status response of the batch lists it. */
	entry: IDataObject;
}

/** Matches the entries of a batch with input items, in the order in which the rows were sent. */
export function matchEntriesToItems(
	{
		itemIndexes,
		itemValues,
		operation,
	}: Pick<PlannedRequest, 'itemIndexes' | 'itemValues' | 'operation'>,
	entries: readonly IDataObject[],
): BatchEntry[] {
	const owners = itemIndexes.flatMap((item, i) =>
		Array<number>(operation.combine?.getSize?.(itemValues[i] ?? {}) ?? 1).fill(item),
	);
	return owners.map((item, index) => ({
		item,
		entry: entries.find(({ item_index }) => item_index === index) ?? { item_index: index },
	}));
}

/** Creates the output items of a batch that the node does not wait for. */
export const createPendingItems = (
	request: PlannedRequest,
	batch: Job,
	reply: IDataObject,
): INodeExecutionData[] =>
	matchEntriesToItems(request, []).map(({ item, entry }) => ({
		json: { ...reply, ...entry, job: toJobReference(batch) },
		pairedItem: { item },
	}));

/** Whether a row failed for a reason that may not recur. */
const hasFailedTransiently = (kind: JobKind, entry: IDataObject) =>
	readState(kind, entry) === 'failed' && isTransientFailure(describeFailure(entry), entry);

/**
 * Plans a request that repeats the rows that failed for a transient reason. Undefined if there are
 * none.
 */
export function planRetryOfFailedRows(
	request: PlannedRequest,
	kind: JobKind,
	data: IDataObject,
): PlannedRequest | undefined {
	const entries = matchEntriesToItems(request, readObjects(data.items));
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
 * Fetches the results of a finished batch, row by row.
 *
 * @param leftOut indexes of input items without a result, because their rows are repeated
 */
export async function fetchRowItems(
	{ client, startedJobs }: RunContext,
	request: PlannedRequest,
	batch: Job,
	kind: JobKind,
	data: IDataObject,
	leftOut: readonly number[],
): Promise<ItemResult[]> {
	const rows = matchEntriesToItems(request, readObjects(data.items)).filter(
		({ item }) => !leftOut.includes(item),
	);
	const findJobs = ({ entry }: BatchEntry): Job[] => {
		const job = readJobOfBatchEntry(kind, entry);
		return job ? [job] : [];
	};
	for (const row of rows) startedJobs.add(row.item, findJobs(row));
	return await settleParts(
		client.node,
		rows,
		async ({ item, entry }) => {
			const row = await fetchRowItem(client, batch, kind, entry);
			return { ...row, item: { ...row.item, pairedItem: { item } } };
		},
		findJobs,
	);
}
