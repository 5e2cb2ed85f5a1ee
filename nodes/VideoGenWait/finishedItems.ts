/** What the items become when all their jobs have ended, or the time is over. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toNodeError, createOperationError, type NodeError } from '../core/errors/nodeErrors';
import { downloadResultFiles, findJobFile } from '../core/jobs/resultFiles';
import type { Client } from '../core/http/client';
import { toJobReference, readState, type Job } from '../core/jobs/state';
import type { JobOutcome } from '../core/jobs/waitForJob';
import { isObject, readObjects, readText } from '../core/json';
import { createJobError } from '../core/jobs/jobErrors';
import { readFinishedRow } from '../core/collect/batchRows';
import { createCollector, settleParts } from '../core/collect/collectItems';
import { getJobName, type NamedJob } from './jobReference';

/** How a job has ended, or why it could not be read. */
export type JobResult = JobOutcome | { outcome: 'unreadable'; error: unknown };

/** An item that came in, with its number and the job that it names. */
export interface ItemJob {
	item: number;
	input: INodeExecutionData;
	job: NamedJob | NodeError;
}

/** What the form says about files. */
interface DownloadChoice {
	chosen: readonly string[];
	field: string;
}

const waitAgainAdvice =
	'or wait for it again: with On Error set to "Continue (using error output)", connect the error output to the input of this node';

/** The item, of which an earlier error is no part any more. */
function removeError(json: IDataObject): IDataObject {
	if (readText(json.error) === undefined) return json;
	const { error, details, ...rest } = json;
	return rest;
}

/** The job of an item, as errors name it. */
export const toItemJobs = ({ item, job: named }: ItemJob): { item: number; jobs: Job[] } => ({
	item,
	jobs: named instanceof Error ? [] : [{ kind: named.kind.job, id: named.id }],
});

/** The finished resource of an item. */
async function buildResult(
	client: Client,
	{ item, input, job: named }: ItemJob & { job: NamedJob },
	ending: JobResult,
): Promise<{ json: IDataObject; job: Job['kind']; reading: IDataObject }> {
	const { kind, id, row } = named;
	if (ending.outcome === 'unreadable') throw toNodeError(client.node, ending.error);
	if (ending.outcome === 'failed' || ending.outcome === 'timeout') {
		throw createJobError(client.node, ending, waitAgainAdvice);
	}
	const { data } = ending;
	const own = removeError(input.json);
	if (row !== undefined && kind.rows) {
		const entry = readObjects(data.items).find((one) => one.item_index === row) ?? {
			item_index: row,
		};
		const made = await readFinishedRow(client, { kind: kind.job, id }, kind.rows, { item, entry });
		return { json: { ...own, ...made.json }, job: kind.rows, reading: made.json };
	}
	const { job } = kind;
	const json = { ...own, [job.id]: id, ...data, job: toJobReference({ kind: job, id }) };
	const inner = job.next && data[job.next.name];
	return { json, job: job.next?.job ?? job, reading: isObject(inner) ? inner : data };
}

/** The item with the files that are wanted, of those that its kind of job makes. */
async function createFinishedItem(
	n8n: IExecuteFunctions,
	client: Client,
	asked: ItemJob & { job: NamedJob },
	ending: JobResult,
	{ chosen, field }: DownloadChoice,
): Promise<INodeExecutionData> {
	const { input, item, job: named } = asked;
	const { json, job, reading } = await buildResult(client, asked, ending);
	const pairedItem = { item };
	const files = (named.kind.files ?? []).filter(({ value }) => chosen.includes(value));
	const id = readText(json[job.id]);
	// What rests, or is a whole batch, has no film of its own.
	const hasFiles = files.length > 0 && id !== undefined && readState(job, reading) === 'completed';
	if (!hasFiles || (named.kind.rows && named.row === undefined)) {
		return { json, pairedItem, ...(input.binary ? { binary: input.binary } : {}) };
	}
	const read = async () =>
		await client.fetchData({ line: job.read, path: { [job.id]: id }, query: job.query });
	const { binary } = await downloadResultFiles(
		n8n,
		client,
		{ kind: job.name, id, read, reading },
		files,
		(fresh, file) => findJobFile(job, fresh, file, id),
		{ field },
	);
	return { json, pairedItem, binary: { ...input.binary, ...binary } };
}

/** The items in the order in which they came in, each with what became of its job. */
export async function createFinishedItems(
	n8n: IExecuteFunctions,
	client: Client,
	asked: readonly ItemJob[],
	endings: ReadonlyMap<string, JobResult>,
	wishes: DownloadChoice,
): Promise<INodeExecutionData[]> {
	const jobs = {
		of: (item: number) =>
			asked.filter((one) => one.item === item).flatMap((one) => toItemJobs(one).jobs),
		others: (item: number) => asked.filter((one) => one.item !== item).map(toItemJobs),
	};
	const collector = createCollector(n8n, jobs);
	const results = await settleParts(
		client.node,
		asked,
		async ({ job, ...rest }) => {
			if (job instanceof Error) throw job;
			const ending = endings.get(getJobName(job));
			if (!ending)
				throw createOperationError(client.node, `The ${getJobName(job)} was not looked at`);
			return await createFinishedItem(n8n, client, { ...rest, job }, ending, wishes);
		},
		(one) => toItemJobs(one).jobs,
	);
	collector.add(results);
	collector.throwFailure();
	return collector.items();
}
