/**
 * Row in, row out: what a batch made, as one item for each row that went in, or several where a row
 * asks for several.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, operationError, type NodeError } from '../errors/words';
import type { Client } from '../http/client';
import { failureOf, jobRef, kindName, stateOf, type Job, type StartedJob } from '../jobs/job';
import { objectOf, objectsOf, textOf } from '../json';
import { errorItem, located } from './outcome';
import type { Task } from './plan';

/** An entry of a batch, with the row that asked for it. */
interface Entry {
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

/** What a batch is told to do about its rows. */
interface RowContext {
	client: Client;
	/** How many items the run has. */
	items: number;
	/** Error items instead of errors. */
	goesOn: boolean;
	/** Told of the job of each row. */
	started: (jobs: StartedJob[], item: number) => void;
}

/** The items of a batch that is not awaited. */
export const rowsToCome = (
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
	const id = textOf(entry.video_id);
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

/** The items of a batch that has ended: each row with what was made of it. */
export async function rowsOf(
	context: RowContext,
	task: Task,
	batch: StartedJob,
	job: Job,
	data: IDataObject,
): Promise<INodeExecutionData[]> {
	const { client, items, goesOn, started } = context;
	const entries = entriesOf(task, objectsOf(data.items));
	const made = entries.flatMap(({ item, entry }) => {
		// Every kind calls the id of what is made so (docs/service.md, Resources).
		const id = textOf(entry.video_id);
		return id === undefined ? [] : [{ item, one: { job, id } }];
	});
	for (const { item, one } of made) started([one], item);
	const wrong: NodeError[] = [];
	const rows = await Promise.all(
		entries.map(async ({ item, entry }): Promise<INodeExecutionData> => {
			const id = textOf(entry.video_id);
			try {
				if (id === undefined || stateOf(job, entry) === 'failed')
					throw rowError(client, job, batch, entry);
				const read = await client.data({ line: job.read, path: { [job.id]: id } });
				const about = { batch_id: batch.id, item_index: entry.item_index };
				const json = { [job.id]: id, ...about, ...objectOf(read), job: jobRef({ job, id }) };
				return { json, pairedItem: { item } };
			} catch (error) {
				const own = id === undefined ? [] : [{ job, id }];
				const failure = located(asNodeError(client.node, error), { item, items }, own);
				wrong.push(failure);
				return errorItem(failure, item);
			}
		}),
	);
	const [first] = wrong;
	if (first && !goesOn) {
		const others = wrong.slice(1).map(({ message }) => message);
		if (others.length > 0) first.description = [first.description, 'Also:', ...others].join('\n');
		throw first;
	}
	return rows;
}
