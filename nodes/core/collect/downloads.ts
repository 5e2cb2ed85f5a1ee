/** The files of results that were awaited, put into their items. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	downloadResultFiles,
	findJobFile,
	hasResultFile,
	type ResultFile,
} from '../jobs/resultFiles';
import { readState, type JobKind } from '../jobs/state';
import { isObject, readObject, readText } from '../json';
import type { RunContext, SentRequest } from '../send/sendRequest';
import { isFailure, settleParts, type ItemResult } from './collectItems';
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
const kindsOf = ({ jobs, operation }: SentRequest): JobKind[] => [
	...jobs.map(({ kind: job }) => job),
	...(operation.combine?.rows ? [operation.combine.rows] : []),
];

/** The result that an item tells of; nothing where it tells of none, or of one that failed. */
function resultIn(
	{ client }: RunContext,
	task: SentRequest,
	files: readonly ResultFile[],
	{ given: { json }, number }: Part,
): Result | undefined {
	const { kind, id } = readObject(json.job);
	const job = kindsOf(task).find((one) => one.name === kind);
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
	context: RunContext,
	task: SentRequest,
	files: readonly ResultFile[],
	part: Part,
): Promise<INodeExecutionData> {
	const { n8n, client } = context;
	const result = resultIn(context, task, files, part);
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

/** Adds the files that Download selects to the items of awaited jobs. */
export async function addFiles(
	context: RunContext,
	request: SentRequest,
	results: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { n8n, client } = context;
	const { download, waitForCompletion } = request.values;
	const chosen = Array.isArray(download) ? download : [];
	const files = (request.operation.files ?? []).filter(({ value }) => chosen.includes(value));
	// A model takes no files.
	if (files.length === 0 || waitForCompletion !== true || isTool(n8n)) return [...results];
	const ids = results.map((one) =>
		isFailure(one) ? undefined : readObject(one.output.json.job).id,
	);
	return (
		await Promise.all(
			results.map(async (one, i) => {
				if (isFailure(one)) return [one];
				const number = ids.slice(0, i).filter((id) => id === ids[i]).length;
				const isOneOfMany = ids.indexOf(ids[i]) !== ids.lastIndexOf(ids[i]);
				const part: Part = { given: one.output, item: one.item, number, isOneOfMany };
				const result = resultIn(context, request, files, part);
				const jobs = result ? [{ kind: result.job, id: result.id }] : [];
				return await settleParts(
					client.node,
					[part],
					async () => await withFiles(context, request, files, part),
					() => jobs,
				);
			}),
		)
	).flat();
}
