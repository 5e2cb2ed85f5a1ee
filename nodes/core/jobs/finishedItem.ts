/** Turns a finished job into an item with JSON and binary files. */
import type {
	IBinaryKeyData,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { createOperationError } from '../errors/nodeErrors';
import { downloadFile } from '../files/download';
import type { Client } from '../http/client';
import { readObjects, readText } from '../json';
import { createRowError } from './jobErrors';
import { fetchJob } from './readJobs';
import { findJobFile, type ResultFileUrl } from './resultFiles';
import { readState } from './state';
import {
	toJobReference,
	type FinishedJob,
	type Job,
	type JobKind,
	type ResultFile,
	type SuccessfulOutcome,
} from './types';

export interface FinishedItem {
	item: INodeExecutionData;
	/** Job whose files belong to the item; undefined if it has none. */
	result?: FinishedJob;
	/** Number of this part and of all parts, if each part of the result is a separate item. */
	part?: { number: number; count: number };
}

/** Creates the item of a job that has ended well, on top of already known values. */
export const createFinishedItem = (
	base: IDataObject,
	{ job, data, result }: Omit<SuccessfulOutcome, 'outcome'>,
): FinishedItem => ({ item: { json: { ...base, ...data, job: toJobReference(job) } }, result });

/**
 * Returns the job ID in a batch entry. All kinds of job use the same key
 * (docs/service.md, Resources).
 */
const readEntryId = ({ video_id }: IDataObject) => readText(video_id);

/** Returns the job in a batch entry, or undefined if none was started. */
export function readJobOfBatchEntry(kind: JobKind, entry: IDataObject): Job | undefined {
	const id = readEntryId(entry);
	return id === undefined ? undefined : { kind, id };
}

/** Fetches the status of the job of a batch row and creates its item. Throws if that job failed. */
export async function fetchRowItem(
	client: Client,
	batch: Job,
	kind: JobKind,
	entry: IDataObject,
	base: IDataObject = {},
): Promise<FinishedItem> {
	const job = readJobOfBatchEntry(kind, entry);
	if (!job || readState(kind, entry) === 'failed') {
		throw createRowError(client.node, batch, job ?? { kind }, entry);
	}
	const data = await fetchJob(client, job);
	const ids = { [kind.id]: job.id, batch_id: batch.id, item_index: entry.item_index };
	return createFinishedItem({ ...base, ...ids }, { job, data, result: { ...job, data } });
}

/** Files to download, and the names of their binary fields. */
export interface DownloadChoice {
	files: readonly ResultFile[];
	/** Binary field of the first file. The names of the other fields come from the files. */
	field: string;
	/** Name of the first file. The names of the other files derive from it. */
	fileName?: string;
	find(response: IDataObject, file: ResultFile): ResultFileUrl;
}

/** Returns the extension in the path of a URL, so that a WebM file is not named MP4. */
const readExtension = (url: string) => /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();

/** Builds the name of a file. The names of further files extend that of the first one. */
function buildFileName(
	{ url, name, extension }: Extract<ResultFileUrl, { url: string }>,
	file: ResultFile,
	{ files, fileName }: DownloadChoice,
): string {
	const ending = extension === '' ? '' : `.${readExtension(url) ?? extension}`;
	if (file === files[0]) return fileName ?? `${name}${ending}`;
	const base = fileName?.replace(/\.[^.]*$/, '') ?? name;
	return `${base.endsWith(`_${file.value}`) ? base : `${base}_${file.value}`}${ending}`;
}

/**
 * Downloads several files at the same time. They share the first status response. Every retry
 * fetches the job again, because URLs expire.
 *
 * @param owner job or other resource that the files belong to, with its response if it was just
 * fetched
 * @returns the binary fields, and the JSON that belongs to the first file
 */
export async function downloadResultFiles(
	n8n: IExecuteFunctions,
	client: Client,
	owner: {
		kind: Pick<JobKind, 'name' | 'id' | 'read' | 'query'>;
		id: string;
		data?: IDataObject;
	},
	choice: DownloadChoice,
) {
	const { files, field, find } = choice;
	const { kind, id, data } = owner;
	const read = async () => await fetchJob(client, owner);
	let shared = data && Promise.resolve(data);
	let json: IDataObject = {};
	const entries = await Promise.all(
		files.map(async (file) => {
			let isRetry = false;
			const binary = await downloadFile(n8n, client, async () => {
				const response = await (isRetry ? read() : (shared ??= read()));
				isRetry = true;
				const location = find(response, file);
				if ('problem' in location) {
					const { status } = response;
					throw createOperationError(client.node, location.problem, location.advice, {
						job: { kind: kind.name, id },
						...(status === undefined ? {} : { status: String(status) }),
					});
				}
				if (file === files[0]) json = location.json ?? response;
				const { url, mimeType } = location;
				return { url, mimeType, fileName: buildFileName(location, file, choice) };
			});
			return [file === files[0] ? field : file.value, binary] as const;
		}),
	);
	return { binary: Object.fromEntries(entries), json };
}

/**
 * Adds files to the item of a finished job, as binary fields. An item without files stays
 * unchanged.
 *
 * @param before binary fields of the input item, which the item keeps
 */
export async function addResultFiles(
	n8n: IExecuteFunctions,
	client: Client,
	{ item, result, part }: FinishedItem,
	choice: Omit<DownloadChoice, 'find'>,
	before: IBinaryKeyData = {},
): Promise<INodeExecutionData> {
	if (!result || choice.files.length === 0) return item;
	const { kind, id } = result;
	const findPart = (response: IDataObject): IDataObject =>
		kind.parts === undefined
			? response
			: (readObjects(response[kind.parts])[part?.number ?? 0] ?? {});
	if (readState(kind, findPart(result.data)) === 'failed') return item;
	const name = part && part.count > 1 ? `${id}_${part.number + 1}` : id;
	const find = (response: IDataObject, file: ResultFile): ResultFileUrl => {
		const location = findJobFile(kind, findPart(response), file, id);
		return 'problem' in location ? location : { ...location, name };
	};
	const { binary } = await downloadResultFiles(n8n, client, result, { ...choice, find });
	return { ...item, binary: { ...before, ...item.binary, ...binary } };
}
