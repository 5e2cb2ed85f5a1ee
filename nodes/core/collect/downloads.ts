/** The files of results that were awaited, put into their items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import {
	downloadResultFiles,
	findJobFile,
	hasResultFile,
	type ResultFile,
} from '../jobs/resultFiles';
import { readState, type JobKind } from '../jobs/state';
import { isObject, readObject, readText } from '../json';
import { addItemAndJobs } from './errorItems';
import type { TaskRun } from '../send/sendRequest';
import { collectItems } from './collectItems';
import { isTool } from '../plan/agentTool';

/** A result with files: where it is, and how it is read anew. */
interface Result {
	job: JobKind;
	id: string;
	reading: IDataObject;
	readAgain: () => Promise<IDataObject>;
}

/** An item, with the row that it came from, and its number among those of its job. */
interface Part {
	given: INodeExecutionData;
	item: number;
	number: number;
	/** It is one of several of its job. */
	isOneOfMany: boolean;
}

/** The kinds of job that the task has started, and that of the rows of a batch. */
const kindsOf = ({ jobs, task }: TaskRun): JobKind[] => [
	...jobs.map(({ kind: job }) => job),
	...(task.operation.combine?.rows ? [task.operation.combine.rows] : []),
];

/** The result that an item tells of; nothing where it tells of none, or of one that failed. */
function resultIn(
	taskRun: TaskRun,
	files: readonly ResultFile[],
	{ given: { json }, number }: Part,
): Result | undefined {
	const { client, task } = taskRun;
	const { kind, id } = readObject(json.job);
	const job = kindsOf(taskRun).find((one) => one.name === kind);
	if (!job || typeof json.error === 'string') return undefined;
	// Where a job leads to another, that one has the files.
	const last = job.next?.job ?? job;
	// What an operation puts aside stands under the name of its kind.
	const inner = json[job.next?.name ?? job.name];
	const isInside =
		isObject(inner) &&
		(hasResultFile(inner, files) || !hasResultFile(json, files) || job.next !== undefined);
	const reading = isInside ? inner : json;
	const lastId = readText(job.next ? json[last.id] : id);
	if (lastId === undefined || (job.next && !isInside)) return undefined;
	if (readState(job, json) === 'failed' || readState(last, reading) === 'failed') return undefined;
	const readAgain = async () => {
		const { read: line, query, id: key } = last;
		const fresh = await client.fetchData({ line, path: { [key]: lastId }, query });
		if (job.next) return fresh;
		// What was one of several items is the same one again.
		const item = { json: { ...fresh, job: json.job } };
		return task.operation.reshapeItems?.([item], task.values)[number]?.json ?? fresh;
	};
	return { job: last, id: lastId, reading, readAgain };
}

async function withFiles(
	taskRun: TaskRun,
	files: readonly ResultFile[],
	part: Part,
): Promise<INodeExecutionData> {
	const { n8n, client, task } = taskRun;
	const result = resultIn(taskRun, files, part);
	if (!result) return part.given;
	const { job, id, readAgain, reading } = result;
	const owner = { kind: job.name, id, read: readAgain, reading };
	const names = { field: String(task.values.binaryPropertyName ?? 'data') };
	const { binary } = await downloadResultFiles(
		n8n,
		client,
		owner,
		files,
		(fresh, file) => {
			const found = findJobFile(job, fresh, file, id);
			const name = part.isOneOfMany ? `${id}_${part.number + 1}` : id;
			return 'problem' in found ? found : { ...found, name };
		},
		names,
	);
	const before = n8n.getInputData()[part.item]?.binary;
	return { ...part.given, binary: { ...before, ...part.given.binary, ...binary } };
}

/** The items with the files that Download asks for, beside the binary fields that their rows had. */
export async function withDownloads(
	taskRun: TaskRun,
	items: readonly INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const { n8n, client, task } = taskRun;
	const { download, waitForCompletion } = task.values;
	const chosen = Array.isArray(download) ? download : [];
	const files = (task.operation.files ?? []).filter(({ value }) => chosen.includes(value));
	// A model takes no files.
	if (files.length === 0 || waitForCompletion !== true || isTool(n8n)) return [...items];
	const ids = items.map(({ json }) => readObject(json.job).id);
	const parts = items.map((given, i): Part => {
		const { pairedItem } = given;
		const item = isObject(pairedItem) ? Number(pairedItem.item) : (task.items[0] ?? 0);
		const number = ids.slice(0, i).filter((id) => id === ids[i]).length;
		return { given, item, number, isOneOfMany: ids.indexOf(ids[i]) !== ids.lastIndexOf(ids[i]) };
	});
	return await collectItems(
		parts,
		n8n.continueOnFail(),
		async (part) => await withFiles(taskRun, files, part),
		(error, part) => {
			const result = resultIn(taskRun, files, part);
			const at = { item: part.item, items: n8n.getInputData().length };
			return addItemAndJobs(
				toNodeError(client.node, error),
				at,
				result ? [{ kind: result.job, id: result.id }] : [],
			);
		},
	);
}
