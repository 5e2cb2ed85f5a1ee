/** Rows of a batch: which of its entries belong to which items, and which of them failed. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { fetchRowItem, readEntryJob } from '../jobs/finishedItem';
import { describeFailure, isTransientFailure, readState } from '../jobs/state';
import { toJobReference, type Job, type JobKind } from '../jobs/types';
import { readObjects } from '../json';
import type { PlannedRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendRequest';
import { settleParts, type ItemResult } from './collectItems';

/** An entry of a batch, with the item that it was created for. */
export interface BatchEntry {
	/** Index of the input item. */
	item: number;
	/** The row as the batch lists it. */
	entry: IDataObject;
}

/** The entries of a batch by item, in the order in which the rows were sent. */
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

/** The items of a batch that is not awaited. */
export const createPendingItems = (
	request: PlannedRequest,
	batch: Job,
	reply: IDataObject,
): INodeExecutionData[] =>
	matchEntriesToItems(request, []).map(({ item, entry }) => ({
		json: { ...reply, ...entry, job: toJobReference(batch) },
		pairedItem: { item },
	}));

/** Whether a row failed for a reason that may not occur again. */
const hasFailedTransiently = (kind: JobKind, entry: IDataObject) =>
	readState(kind, entry) === 'failed' && isTransientFailure(describeFailure(entry), entry);

/** The rows of a finished batch that are worth another attempt, as a request of their own. */
export function planRetryOfFailedRows(
	request: PlannedRequest,
	kind: JobKind,
	data: IDataObject,
): PlannedRequest | undefined {
	const entries = matchEntriesToItems(request, readObjects(data.items));
	// If an item has several rows, those that succeeded would be charged again.
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

/** The results of a finished batch, row by row, without the items to leave out. */
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
		const job = readEntryJob(kind, entry);
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
