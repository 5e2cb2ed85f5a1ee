/** Converts a finished job to an n8n item: its status response to JSON, its files to binary data. */
import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { clock } from '../clock';
import { createOperationError } from '../errors/nodeErrors';
import { downloadFile, type DownloadSource } from '../files/download';
import { awaitAllTransfers } from '../files/transfer';
import type { Client } from '../http/client';
import { readObjects, readText, readAtPath } from '../json';
import { toUnixSeconds } from '../time';
import { readJobOfBatchEntry } from './matchBatchEntries';
import {
	createBatchRowError,
	createUnfinishedRowError,
	createUnmatchedRowError,
} from './jobErrors';
import { fetchJobStatus } from './readJobs';
import { decideJobState, readFailureWithDefaults } from './jobState';
import {
	type FinishedJob,
	type Job,
	type JobKind,
	type ResultFileType,
	type SuccessfulOutcome,
	describeJobKind,
} from './types';

export interface FinishedJobItem {
	output: INodeExecutionData;
	/** Job whose status response has the URLs of this item's files. Undefined if there are none. */
	result?: FinishedJob;
	/** Position of this item among the items of one result, such as a clip among several clips. */
	part?: { number: number; count: number };
}

/** Creates an output item from a finished job. Its `data` takes precedence over `base`. */
export const createFinishedJobItem = (
	base: IDataObject,
	{ job, data, result }: Omit<SuccessfulOutcome, 'outcome'>,
): FinishedJobItem => ({
	output: { json: { ...base, ...data, job: { kind: job.kind.name, id: job.id } } },
	result,
});

/**
 * Requests the status of the job that a batch row started, and returns the row's output item.
 * Throws if the job failed or is still running, or if the service does not show which job belongs
 * to the row.
 *
 * @param row the row's index in the batch, and its entry in the batch's status response
 */
export async function fetchBatchRowItem(
	client: Client,
	batch: Job,
	kind: JobKind,
	{ index, entry }: { index: number; entry?: IDataObject },
): Promise<FinishedJobItem> {
	const job = entry && readJobOfBatchEntry(kind, entry);
	if (entry && decideJobState(kind, entry) === 'failed') {
		throw createBatchRowError(client.node, batch, job ?? { kind }, { ...entry, item_index: index });
	}
	if (!job) throw createUnmatchedRowError(client.node, batch, kind);
	const data = await fetchJobStatus(client, job);
	// Unfinished only if both are pending, because the entry may be newer than the job's status.
	if ([entry, data].every((one) => decideJobState(kind, one) === 'pending')) {
		throw createUnfinishedRowError(client.node, batch, job, data);
	}
	const ids = { [kind.id]: job.id, batch_id: batch.id, item_index: index };
	return createFinishedJobItem(ids, { job, data, result: { ...job, data } });
}

export interface ResultFileDownload {
	files: readonly ResultFileType[];
	/** `value` of the job's main file, such as `video`. The default is the first file. */
	main?: string;
	/**
	 * Binary field for the main file or, if the main file was not selected, for the first file. Each
	 * file except the main one is also stored in a field named after its type, so that this name does
	 * not depend on the other files. If the name is taken, `_2` is appended.
	 */
	field: string;
	/** File name from the user. If undefined, files are named after the result's title. */
	fileName?: string;
	/** Whether several results of the same input item share the user's file name. */
	isShared?: boolean;
	find(response: IDataObject, file: ResultFileType): ResultFileLookup;
	/** Function that downloads a file. Check Only passes one that stores a sample file. */
	download?: typeof downloadFile;
}

/** Pauses, in milliseconds, before re-reading a status response that lacks the URL of a file. */
const lateFilePauses = [2_000, 5_000, 8_000];

/** Time after a job's completion, in seconds, during which it may still get files. */
const lateFileWindow = 600;

/** Whether a completed job may still get files. Subtitles can arrive later than their video. */
function hasEndedRecently({ completed_at: time }: IDataObject): boolean {
	const completed = toUnixSeconds(time, 'UTC');
	return completed === undefined || clock.now() / 1000 - completed < lateFileWindow;
}

/**
 * Downloads result files in parallel. The first attempts for all files use the URLs from the same
 * status response. Each retry requests a new status response, because the URLs expire.
 *
 * @param owner job or other resource that the files belong to. `data` is its status response, if
 * the caller already has it
 * @returns the binary fields by name, and the item's JSON, taken from the response that contained
 * the URL of the first file
 */
export async function downloadResultFiles(
	n8n: IExecuteFunctions,
	client: Client,
	owner: {
		kind: Pick<JobKind, 'name' | 'id' | 'read' | 'query'>;
		id: string;
		data?: IDataObject;
	},
	choice: ResultFileDownload,
) {
	const { files, main, field, fileName, isShared, find, download = downloadFile } = choice;
	const { kind, id, data } = owner;
	const read = async () => await fetchJobStatus(client, owner);
	let shared = data && Promise.resolve(data);
	let json: IDataObject = {};
	const entries = await awaitAllTransfers(
		files.map(async (file) => {
			const isFirst = file === files[0];
			let isRetry = false;
			const binary = await download(n8n, client, async () => {
				let response = await (isRetry ? read() : (shared ??= read()));
				isRetry = true;
				let location = find(response, file);
				// Sample files have no job, so they never arrive late.
				for (const pause of download === downloadFile ? lateFilePauses : []) {
					if (!('problem' in location && location.mayArrive && hasEndedRecently(response))) break;
					await clock.sleep(pause, client.signal);
					response = await read();
					location = find(response, file);
				}
				if ('problem' in location) {
					const { status } = response;
					throw createOperationError(client.node, location.problem, location.advice, {
						job: { kind: kind.name, id },
						status: status === undefined ? undefined : String(status),
					});
				}
				const { json: ownJson = response, ...source } = location;
				if (isFirst) json = ownJson;
				return { ...source, name: { ...source.name, fileName, isShared, isFirst } };
			});
			const ownField = file.value === field && !isFirst ? `${file.value}_2` : file.value;
			const isMain = file.value === (main ?? files[0]?.value);
			return [...(isFirst ? [field] : []), ...(isMain ? [] : [ownField])].map(
				(name) => [name, binary] as const,
			);
		}),
	);
	return { binary: Object.fromEntries(entries.flat()), json };
}

/** Adds result files to an output item, next to the input item's files, given as `before`. */
export async function addResultFiles(
	n8n: IExecuteFunctions,
	client: Client,
	{ output, result, part }: FinishedJobItem,
	choice: Omit<ResultFileDownload, 'find'>,
	before: IBinaryKeyData = {},
): Promise<INodeExecutionData> {
	if (!result || choice.files.length === 0) return output;
	const { kind, id } = result;
	const findPart = (response: IDataObject): IDataObject =>
		kind.parts === undefined
			? response
			: (readObjects(response[kind.parts])[part?.number ?? 0] ?? {});
	if (decideJobState(kind, findPart(result.data)) === 'failed') return output;
	const find = (response: IDataObject, file: ResultFileType): ResultFileLookup => {
		const source = findPart(response);
		const location = findJobResultFile(kind, source, file, id);
		if ('problem' in location || !part || kind.parts === undefined) return location;
		const partId = readText(source.id) ?? `${id}_${part.number + 1}`;
		return { ...location, name: { ...location.name, id: partId } };
	};
	const { binary } = await downloadResultFiles(n8n, client, result, { ...choice, find });
	return { ...output, binary: { ...before, ...output.binary, ...binary } };
}

export type ResultFileLookup = FoundFile | MissingFile;

interface FoundFile extends DownloadSource {
	/** JSON for the output item. The default is the file's whole status response. */
	json?: IDataObject;
}

interface MissingFile {
	problem: string;
	advice: string;
	/** Whether the job is completed, so that the missing file may still arrive. */
	mayArrive?: boolean;
}

/** Finds a file's URL in a response. If the result has no title, the file is named after `id`. */
export function findResultFile(
	response: IDataObject,
	file: ResultFileType,
	id: string,
	missing: MissingFile,
): ResultFileLookup {
	const { extension, mimeType, readType, languageKey = 'output_language' } = file;
	const url = readText(readAtPath(response, file.key.split('.')));
	if (url === undefined) return missing;
	const name = {
		id,
		kind: file.value,
		includesKindInName: file.includesKindInName,
		// Assets have a name instead of a title.
		title: readText(response.title) ?? readText(response.name),
		language: readText(response[languageKey]),
	};
	return { extension, mimeType, ...readType?.(response), url, name };
}

/** Explains why a job lacks a file. `otherwise`: advice to return if the job is completed. */
export function explainMissingFile(
	kind: JobKind,
	response: IDataObject,
	otherwise: string,
): Omit<MissingFile, 'problem'> {
	const state = decideJobState(kind, response);
	if (state === 'completed') return { advice: otherwise, mayArrive: true };
	const word = readText(response.status);
	const status = word === undefined ? 'It has no status' : `Its status is "${word}"`;
	return {
		advice:
			state === 'failed'
				? `${status}: ${readFailureWithDefaults(response).reason}. Change the input and create the job again.`
				: `${status}. Wait until it is completed.`,
	};
}

/** Finds a file's URL in a job's status response, or explains why the job lacks the file. */
export const findJobResultFile = (
	kind: JobKind,
	response: IDataObject,
	file: ResultFileType,
	id: string,
	otherwise = 'The result was created without this file.',
): ResultFileLookup =>
	findResultFile(response, file, id, {
		problem: `The ${describeJobKind(kind)} ${id} has no file "${file.name}": its ${file.key} is empty`,
		...explainMissingFile(kind, response, otherwise),
	});
