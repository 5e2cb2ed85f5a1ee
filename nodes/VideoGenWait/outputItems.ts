/** Builds the items for the wait node's outputs, Still Running and Finished. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createItemCollector, processPartsInParallel } from '../core/collect/collectItems';
import type { JobsOfItem } from '../core/collect/failureTexts';
import { shouldIncludeInputFields } from '../core/collect/inputFields';
import { removeDuplicateId } from '../core/collect/itemIds';
import { outcomeOfState } from '../core/collect/rowReports';
import { toNodeError } from '../core/errors/nodeErrors';
import { storeSampleFile } from '../core/files/sampleFiles';
import type { Client } from '../core/http/client';
import { matchEntriesToRows } from '../core/jobs/matchBatchEntries';
import {
	addResultFiles,
	createFinishedJobItem,
	fetchBatchRowItem,
	type FinishedJobItem,
} from '../core/jobs/finishedItem';
import { createJobError } from '../core/jobs/jobErrors';
import type { UnreadableJob } from '../core/jobs/readJobs';
import {
	createSampleJob,
	createSampleJobOutcome,
	isSampleJob,
	insertItemNumberIntoSample,
} from '../core/jobs/sampleJobs';
import { decideJobState } from '../core/jobs/jobState';
import { describeJob, type Job, type JobWaitOutcome } from '../core/jobs/types';
import { omitKeys, readText } from '../core/json';
import { convertTimesToIso } from '../core/time';
import type { ItemWithJob, AwaitedJob } from './inputJobs';

/** A job's outcome after the wait, or an error if the job's status could not be read. */
export type AwaitedJobResult = JobWaitOutcome | UnreadableJob;

/** Files that the user selected for download, with the binary field and the file name to use. */
interface WaitDownload {
	selected: readonly string[];
	/** Binary field for the first file. */
	field: string;
	/** File name that the user has entered. If undefined, files are named after the job's title. */
	fileName?: string;
}

const errorItemKeys = ['error', 'message', 'details'];

/**
 * Adds an empty field `job` to input items that contain nothing but an error. When n8n resumes the
 * execution, it passes the input on, and would otherwise send such items to the error output.
 */
export function markSuspendedErrorItems(items: readonly INodeExecutionData[]): void {
	for (const item of items) {
		const keys = Object.keys(item.json);
		if (item.json.error !== undefined && keys.every((key) => errorItemKeys.includes(key))) {
			item.json = { ...item.json, job: null };
		}
	}
}

/**
 * Creates the items for the Still Running output of a suspended execution: copies of the input
 * items, with the wait's progress added. Returns a new list, because n8n may empty the list that a
 * node returns.
 *
 * @param progress text about the progress of the wait
 */
export const createSuspensionItems = (
	items: readonly INodeExecutionData[],
	progress: string,
): INodeExecutionData[] =>
	items.map((item, i) => ({
		...item,
		json: { ...item.json, still_running: progress },
		pairedItem: { item: i },
	}));

const listJobs = ({ job }: ItemWithJob): Job[] => (job instanceof Error ? [] : [job]);

/** Returns the batch row that an item refers to, or `undefined` if it refers to no single row. */
export const getBatchRow = ({ job }: ItemWithJob): number | undefined =>
	job instanceof Error ? undefined : job.row;

/** Returns the jobs of each input item. The list is empty if the item has no valid job. */
export function groupJobsByItem(itemJobs: readonly ItemWithJob[]): JobsOfItem[] {
	const groups = new Map<number, Job[]>();
	for (const one of itemJobs) {
		groups.set(one.item, [...(groups.get(one.item) ?? []), ...listJobs(one)]);
	}
	return [...groups].map(([item, jobs]) => ({ item, jobs }));
}

const waitAgainAdvice =
	'or wait for it again: with On Error set to "Continue (using error output)", connect the error output to the input of this node';

/** Removes the error that an earlier wait added to an item. */
function removeError(json: IDataObject): IDataObject {
	if (readText(json.error) === undefined) return json;
	return omitKeys(json, 'error', 'details');
}

/**
 * Builds the result for a job or batch row. Throws an error if the job failed, timed out or could
 * not be read.
 */
async function buildResult(
	client: Client,
	{ row, ...job }: AwaitedJob,
	result: AwaitedJobResult,
): Promise<FinishedJobItem> {
	if (result.outcome === 'unreadable') throw toNodeError(client.node, result.error);
	if (result.outcome === 'failed' || result.outcome === 'timeout') {
		throw createJobError(client.node, result, { alternative: waitAgainAdvice });
	}
	const { id, kind } = job;
	if (row === undefined || !kind.rows) return createFinishedJobItem({ [kind.id]: id }, result);
	const entry = matchEntriesToRows(kind.rows, result.data)[row];
	return await fetchBatchRowItem(client, job, kind.rows, { index: row, entry });
}

/**
 * Builds a sample result for a fake job or batch row that an earlier node created with Check Only.
 */
function buildSampleResult({ row, ...job }: AwaitedJob, item: number): FinishedJobItem {
	const { id, kind } = job;
	const rowKind = row === undefined ? undefined : kind.rows;
	const sampleJob = rowKind ? createSampleJob(rowKind) : job;
	const ids = rowKind ? { batch_id: id, item_index: row } : {};
	const sample = { [sampleJob.kind.id]: sampleJob.id, ...ids };
	return insertItemNumberIntoSample(
		createFinishedJobItem(sample, createSampleJobOutcome(sampleJob)),
		item,
	);
}

/** Adds the selected files and the input item's data to a job's output item. */
async function buildItem(
	n8n: IExecuteFunctions,
	client: Client,
	{ item, input }: ItemWithJob,
	{ output, result }: FinishedJobItem,
	{ selected, field, fileName }: WaitDownload,
): Promise<INodeExecutionData> {
	const state = result && decideJobState(result.kind, result.data);
	const availableFiles = state === 'completed' ? (result?.kind.files ?? []) : [];
	const files = availableFiles.filter(({ value }) => selected.includes(value));
	const outcome = outcomeOfState[state ?? 'completed'];
	const json = { ...convertTimesToIso(removeDuplicateId(output.json)), outcome };
	const withInput = {
		...output,
		// With Include Input Fields, the collector adds the input to the item.
		json: shouldIncludeInputFields(n8n, item) ? json : { ...removeError(input.json), ...json },
		...(input.binary ? { binary: input.binary } : {}),
		pairedItem: { item },
	};
	const isSample = isSampleJob(input.json, result?.id ?? '');
	const download = isSample ? storeSampleFile : undefined;
	const choice = { files, field, fileName, download };
	return await addResultFiles(n8n, client, { output: withInput, result }, choice);
}

/**
 * Creates the items for the output Finished, in the order of the input items.
 *
 * @param getDownload returns the files to download for an input item
 */
export async function createFinishedJobItems(
	n8n: IExecuteFunctions,
	client: Client,
	itemJobs: readonly ItemWithJob[],
	results: ReadonlyMap<string, AwaitedJobResult>,
	getDownload: (item: number) => WaitDownload,
): Promise<INodeExecutionData[]> {
	const jobsByItem = groupJobsByItem(itemJobs);
	const collector = createItemCollector(n8n, {
		of: (item) => jobsByItem[item]?.jobs ?? [],
		others: (item) => jobsByItem.filter((other) => other.item !== item),
	});
	const settled = await processPartsInParallel(
		client.node,
		itemJobs.map((itemJob) => ({ ...itemJob, index: getBatchRow(itemJob) })),
		async (itemJob) => {
			const { job } = itemJob;
			if (job instanceof Error) throw job;
			const finished = isSampleJob(itemJob.input.json, job.id)
				? buildSampleResult(job, itemJob.item)
				: await buildResult(client, job, results.get(describeJob(job)) as AwaitedJobResult);
			const download = getDownload(itemJob.item);
			return { output: await buildItem(n8n, client, itemJob, finished, download) };
		},
		listJobs,
	);
	collector.add(settled);
	collector.throwFailure();
	return collector.items();
}
