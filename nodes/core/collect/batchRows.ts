/**
 * Row in, row out: what a batch made, as one item for each row that went in, or several where a row
 * asks for several.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import {
	describeFailure,
	toJobReference,
	describeKind,
	isTransientFailure,
	readState,
	type JobKind,
	type Job,
} from '../jobs/state';
import { readObject, readObjects, readText } from '../json';
import type { PlannedRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendRequest';
import { settleParts, type ItemResult } from './collectItems';

/** An entry of a batch, with the row that asked for it. */
export interface BatchEntry {
	/** Number of the incoming item. */
	item: number;
	/** What the batch tells of it. */
	entry: IDataObject;
}

/** Which entries of a batch belong to which rows: in the order in which they were sent. */
export function matchEntries(
	task: Pick<PlannedRequest, 'itemIndexes' | 'itemValues' | 'operation'>,
	entries: readonly IDataObject[],
): BatchEntry[] {
	const owners = task.itemIndexes.flatMap((item, i) =>
		Array<number>(task.operation.combine?.getSize?.(task.itemValues[i] ?? {}) ?? 1).fill(item),
	);
	return owners.map((item, index) => ({
		item,
		entry: entries.find((one) => one.item_index === index) ?? { item_index: index },
	}));
}

/** The id of what was made of a row: every kind calls it so (docs/service.md, Resources). */
const readEntryId = (entry: IDataObject) => readText(entry.video_id);

/** The items of a batch that is not awaited. */
export const createPendingItems = (
	task: PlannedRequest,
	batch: Job,
	json: IDataObject,
): INodeExecutionData[] =>
	matchEntries(task, []).map(({ item, entry }) => ({
		json: { ...json, ...entry, job: toJobReference(batch) },
		pairedItem: { item },
	}));

/** The error of a row whose part of the batch failed. */
function createRowError(client: Client, job: JobKind, batch: Job, entry: IDataObject): NodeError {
	const name = describeKind(job);
	const id = readEntryId(entry);
	const { code, reason } = describeFailure(entry);
	return createOperationError(
		client.node,
		`The ${name} of this row failed: ${reason}`,
		`${id === undefined ? '' : `${name} ${id} of `}batch ${batch.id}: entry ${String(entry.item_index)} is "${String(entry.status)}". Change the input and run again.`,
		{
			code,
			job: id === undefined ? toJobReference(batch) : toJobReference({ kind: job, id }),
			batch_id: batch.id,
			status: String(entry.status),
		},
	);
}

/** What was made for a row, read anew; throws where its part of the batch failed. */
export async function readFinishedRow(
	client: Client,
	batch: Job,
	job: JobKind,
	{ item, entry }: BatchEntry,
): Promise<INodeExecutionData> {
	const id = readEntryId(entry);
	if (id === undefined || readState(job, entry) === 'failed') {
		throw createRowError(client, job, batch, entry);
	}
	const read = await client.fetchData({ line: job.read, path: { [job.id]: id } });
	const about = { batch_id: batch.id, item_index: entry.item_index };
	const json = {
		[job.id]: id,
		...about,
		...readObject(read),
		job: toJobReference({ kind: job, id }),
	};
	return { json, pairedItem: { item } };
}

/** Whether nothing became of a part of a batch, for a reason that may pass. */
const hasFailedTransiently = (job: JobKind, entry: IDataObject) =>
	readState(job, entry) === 'failed' && isTransientFailure(describeFailure(entry), entry);

/** The rows of a batch that has ended of which nothing became, as a batch of their own. */
export function planFailedRows(
	task: PlannedRequest,
	job: JobKind,
	data: IDataObject,
): PlannedRequest | undefined {
	const entries = matchEntries(task, readObjects(data.items));
	// Where one row asks for several, those that went well would be paid for again.
	const failed = task.itemIndexes.flatMap((item, i) => {
		const own = entries.filter((one) => one.item === item);
		return own.every(({ entry }) => hasFailedTransiently(job, entry)) ? [i] : [];
	});
	const gathered = failed.map((i) => task.itemValues[i] ?? {});
	const [values] = gathered;
	if (values === undefined) return undefined;
	const items = failed.map((i) => task.itemIndexes[i] ?? 0);
	return {
		...task,
		values,
		itemIndexes: items,
		itemValues: gathered,
		retry: (task.retry ?? 0) + 1,
	};
}

/** The results of a batch that has ended, row by row, without the rows to leave out. */
export async function readFinishedRows(
	{ client, startedJobs }: RunContext,
	request: PlannedRequest,
	batch: Job,
	rows: JobKind,
	data: IDataObject,
	leftOut: readonly number[],
): Promise<ItemResult[]> {
	const entries = matchEntries(request, readObjects(data.items)).filter(
		({ item }) => !leftOut.includes(item),
	);
	const jobsOf = ({ entry }: BatchEntry): Job[] => {
		const id = readEntryId(entry);
		return id === undefined ? [] : [{ kind: rows, id }];
	};
	for (const entry of entries) startedJobs.add(entry.item, jobsOf(entry));
	return await settleParts(
		client.node,
		entries,
		async (row) => await readFinishedRow(client, batch, rows, row),
		jobsOf,
	);
}
