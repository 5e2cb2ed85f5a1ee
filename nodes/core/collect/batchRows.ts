/** Rows of a batch: which of its entries belong to which items, and which of them failed. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { fetchRowItem, readEntryJob, type FinishedItem } from '../jobs/finishedItem';
import { describeFailure, isTransientFailure, readState } from '../jobs/state';
import { toJobReference, type FinishedJob, type Job, type JobKind } from '../jobs/types';
import { readObjects } from '../json';
import type { PlannedRequest } from '../plan/groupRequests';
import type { TaskRun } from '../send/sendRequest';
import { collectItems } from './collectItems';
import { addItemAndJobs } from './errorItems';

/** An entry of a batch, with the item that it was created for. */
export interface BatchEntry {
	/** Number of the incoming item. */
	item: number;
	/** The row as the batch lists it. */
	entry: IDataObject;
}

/** The entries of a batch by item, in the order in which the rows were sent. */
export function matchEntries(
	task: Pick<PlannedRequest, 'items' | 'gathered' | 'operation'>,
	entries: readonly IDataObject[],
): BatchEntry[] {
	const owners = task.items.flatMap((item, i) =>
		Array<number>(task.operation.combine?.getSize?.(task.gathered[i] ?? {}) ?? 1).fill(item),
	);
	return owners.map((item, index) => ({
		item,
		entry: entries.find(({ item_index }) => item_index === index) ?? { item_index: index },
	}));
}

/** The items of a batch that is not awaited. */
export const createPendingItems = (
	task: PlannedRequest,
	batch: Job,
	reply: IDataObject,
): INodeExecutionData[] =>
	matchEntries(task, []).map(({ item, entry }) => ({
		json: { ...reply, ...entry, job: toJobReference(batch) },
		pairedItem: { item },
	}));

/** Whether a row failed for a reason that may not occur again. */
const hasFailedTransiently = (kind: JobKind, entry: IDataObject) =>
	readState(kind, entry) === 'failed' && isTransientFailure(describeFailure(entry), entry);

/** The rows of a finished batch that are worth another attempt, as a request of their own. */
export function planFailedRows(
	task: PlannedRequest,
	kind: JobKind,
	data: IDataObject,
): PlannedRequest | undefined {
	const entries = matchEntries(task, readObjects(data.items));
	// Where an item has several rows, those that succeeded would be charged again.
	const failed = task.items.flatMap((item, i) => {
		const rows = entries.filter((row) => row.item === item);
		return rows.every(({ entry }) => hasFailedTransiently(kind, entry)) ? [i] : [];
	});
	const gathered = failed.map((i) => task.gathered[i] ?? {});
	const [values] = gathered;
	if (values === undefined) return undefined;
	const items = failed.map((i) => task.items[i] ?? 0);
	return { ...task, values, items, gathered, again: (task.again ?? 0) + 1 };
}

/** The items of a finished batch, each with the job of its row, without those that are left out. */
export async function fetchRowItems(
	{ n8n, client, task, started }: TaskRun,
	batch: Job,
	kind: JobKind,
	data: IDataObject,
	leftOut: readonly number[] = [],
): Promise<FinishedItem[]> {
	const rows = matchEntries(task, readObjects(data.items)).filter(
		({ item }) => !leftOut.includes(item),
	);
	const findJobs = (entry: IDataObject) => [readEntryJob(kind, entry) ?? []].flat();
	for (const { item, entry } of rows) started(findJobs(entry), item);
	const results: Array<FinishedJob | undefined> = [];
	const count = n8n.getInputData().length;
	const items = await collectItems(
		rows.map((row, i) => ({ ...row, i })),
		n8n.continueOnFail(),
		async ({ item, entry, i }) => {
			const row = await fetchRowItem(client, batch, kind, entry);
			results[i] = row.result;
			return { ...row.item, pairedItem: { item } };
		},
		(error, { item, entry }) =>
			addItemAndJobs(toNodeError(client.node, error), { item, items: count }, findJobs(entry)),
	);
	return items.map((item, i) => ({ item, result: results[i] }));
}
