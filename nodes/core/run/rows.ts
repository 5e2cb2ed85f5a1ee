/**
 * Row in, row out: what a batch made, as one item for each row that went in, or several where a row
 * asks for several.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, operationError, type NodeError } from '../errors/words';
import type { Client } from '../http/client';
import {
	failureOf,
	jobRef,
	kindName,
	mayPass,
	stateOf,
	type Job,
	type StartedJob,
} from '../jobs/job';
import { objectOf, objectsOf, textOf } from '../json';
import { located } from './outcome';
import type { Task } from './plan';
import type { TaskRun } from './send';
import { settleAll } from './settle';

/** An entry of a batch, with the row that asked for it. */
export interface Entry {
	/** Number of the incoming item. */
	item: number;
	/** What the batch tells of it. */
	entry: IDataObject;
}

/** Which entries of a batch belong to which rows: in the order in which they were sent. */
export function entriesOf(
	task: Pick<Task, 'items' | 'gathered' | 'operation'>,
	entries: readonly IDataObject[],
): Entry[] {
	const owners = task.items.flatMap((item, i) =>
		Array<number>(task.operation.gather?.size?.(task.gathered[i] ?? {}) ?? 1).fill(item),
	);
	return owners.map((item, index) => ({
		item,
		entry: entries.find((one) => one.item_index === index) ?? { item_index: index },
	}));
}

/** The id of what was made of a row: every kind calls it so (docs/service.md, Resources). */
const madeIn = (entry: IDataObject) => textOf(entry.video_id);

/** The items of a batch that is not awaited. */
export const pendingRows = (
	task: Task,
	batch: StartedJob,
	json: IDataObject,
): INodeExecutionData[] =>
	entriesOf(task, []).map(({ item, entry }) => ({
		json: { ...json, ...entry, job: jobRef(batch) },
		pairedItem: { item },
	}));

/** The error of a row whose part of the batch failed. */
function rowError(client: Client, job: Job, batch: StartedJob, entry: IDataObject): NodeError {
	const name = kindName(job);
	const id = madeIn(entry);
	const { code, reason } = failureOf(entry);
	return operationError(
		client.node,
		`The ${name} of this row failed: ${reason}`,
		`${id === undefined ? '' : `${name} ${id} of `}batch ${batch.id}: entry ${String(entry.item_index)} is "${String(entry.status)}". Change the input and run again.`,
		{
			code,
			job: id === undefined ? jobRef(batch) : jobRef({ job, id }),
			batch_id: batch.id,
			status: String(entry.status),
		},
	);
}

/** What was made for a row, read anew; throws where its part of the batch failed. */
export async function readRow(
	client: Client,
	batch: StartedJob,
	job: Job,
	{ item, entry }: Entry,
): Promise<INodeExecutionData> {
	const id = madeIn(entry);
	if (id === undefined || stateOf(job, entry) === 'failed') {
		throw rowError(client, job, batch, entry);
	}
	const read = await client.data({ line: job.read, path: { [job.id]: id } });
	const about = { batch_id: batch.id, item_index: entry.item_index };
	const json = { [job.id]: id, ...about, ...objectOf(read), job: jobRef({ job, id }) };
	return { json, pairedItem: { item } };
}

/** Whether nothing became of a part of a batch, for a reason that may pass. */
const failedInPassing = (job: Job, entry: IDataObject) =>
	stateOf(job, entry) === 'failed' && mayPass(failureOf(entry), entry);

/** The rows of a batch that has ended of which nothing became, as a batch of their own. */
export function rowsAnew(task: Task, job: Job, data: IDataObject): Task | undefined {
	const entries = entriesOf(task, objectsOf(data.items));
	// Where one row asks for several, those that went well would be paid for again.
	const failed = task.items.flatMap((item, i) => {
		const own = entries.filter((one) => one.item === item);
		return own.every(({ entry }) => failedInPassing(job, entry)) ? [i] : [];
	});
	const gathered = failed.map((i) => task.gathered[i] ?? {});
	const [values] = gathered;
	if (values === undefined) return undefined;
	const items = failed.map((i) => task.items[i] ?? 0);
	return { ...task, values, items, gathered, again: (task.again ?? 0) + 1 };
}

/** The items of a batch that has ended: each row with what was made of it, but for those left out. */
export async function finishedRows(
	{ n8n, client, task, started }: TaskRun,
	batch: StartedJob,
	job: Job,
	data: IDataObject,
	leftOut: readonly number[] = [],
): Promise<INodeExecutionData[]> {
	const entries = entriesOf(task, objectsOf(data.items)).filter(
		({ item }) => !leftOut.includes(item),
	);
	const jobsIn = (entry: IDataObject): StartedJob[] => {
		const id = madeIn(entry);
		return id === undefined ? [] : [{ job, id }];
	};
	for (const { item, entry } of entries) started(jobsIn(entry), item);
	const items = n8n.getInputData().length;
	return await settleAll(
		entries,
		n8n.continueOnFail(),
		async (row) => await readRow(client, batch, job, row),
		(error, { item, entry }) =>
			located(asNodeError(client.node, error), { item, items }, jobsIn(entry)),
	);
}
