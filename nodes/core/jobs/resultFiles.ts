/** Files that results hold: which there are, where their addresses stand, and the way into an item. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createOperationError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { readObject, readText } from '../json';
import { describeFailure, describeKind, readState, type JobKind } from './state';
import { downloadFile } from '../files/download';

/** A file that a result may hold. */
export interface ResultFile {
	/** Stored in workflows; also the binary field of a file that is not the first. */
	value: string;
	name: string;
	description: string;
	/** Where a reading holds its address: a key, or keys with dots between them. */
	key: string;
	/** Of the file's name, where its address shows none. */
	extension: string;
	/** Used when the storage does not tell. */
	mimeType: string;
	/** The same, where it depends on what was read. */
	readType?(reading: IDataObject): { extension: string; mimeType: string };
}

/** A file that is there, or what to say because it is not. */
export type FileLocation =
	| {
			url: string;
			mimeType: string;
			/** Name of the file if the user gives none; the extension of the address goes before. */
			name: string;
			/** Empty where the name has its own. */
			extension: string;
			/** The json of the item, if not all that was read. */
			json?: IDataObject;
	  }
	| { problem: string; advice: string };

const readUrl = (reading: IDataObject, key: string): unknown =>
	key.split('.').reduce<unknown>((inner, part) => readObject(inner)[part], reading);

/** Whether a reading holds one of the files. */
export const hasResultFile = (reading: IDataObject, files: readonly ResultFile[]) =>
	files.some(({ key }) => readText(readUrl(reading, key)) !== undefined);

/** The file that a reading holds, or what to say because its address is empty. */
export function findFile(
	reading: IDataObject,
	{ key, extension, mimeType, readType: typeIn }: ResultFile,
	name: string,
	missing: { problem: string; advice: string },
): FileLocation {
	const url = readText(readUrl(reading, key));
	if (url === undefined) return missing;
	return { extension, mimeType, ...typeIn?.(reading), url, name };
}

/**
 * What to do while a job has no file: wait, make it again, or know that it was made without one. What
 * the reading says is judged as in a wait.
 */
export function adviseOnMissingFile(job: JobKind, reading: IDataObject, otherwise: string): string {
	const state = readState(job, reading);
	if (state === 'completed') return otherwise;
	const word = readText(reading.status);
	const status = word === undefined ? 'It tells no status' : `Its status is "${word}"`;
	return state === 'failed'
		? `${status}: ${describeFailure(reading).reason}. Change the input and create it again.`
		: `${status}. Wait until it is completed.`;
}

/** The file that a reading of a job holds, or what to do because it holds none. */
export const findJobFile = (
	job: JobKind,
	reading: IDataObject,
	file: ResultFile,
	id: string,
	otherwise = 'It was made without this file.',
): FileLocation =>
	findFile(reading, file, id, {
		problem: `The ${describeKind(job)} ${id} has no file "${file.name}": its ${file.key} is empty`,
		advice: adviseOnMissingFile(job, reading, otherwise),
	});

/** The extension in the path of an address, so that a WebM is not named MP4. */
const readExtension = (url: string) => /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();

/** What files belong to, and how it is read. */
interface FileOwner {
	kind: string;
	id: string;
	read: () => Promise<IDataObject>;
	/** What was read of it just now, if it was: the addresses in it are new. */
	reading?: IDataObject;
}

/**
 * Downloads files at the same time, each into a binary field: the first into the one that the user
 * names, the others into those of their own names. They share the first reading; every further try
 * reads anew, because addresses expire.
 *
 * @param find finds a file in a reading
 * @param names.field the binary field of the first file
 * @returns the binary fields, and the json that the first file's reading gives
 */
export async function downloadResultFiles(
	n8n: IExecuteFunctions,
	client: Client,
	{ kind, id, read, reading: known }: FileOwner,
	files: readonly ResultFile[],
	find: (reading: IDataObject, file: ResultFile) => FileLocation,
	names: { field: string; fileName?: string },
) {
	const { field, fileName } = names;
	let json: IDataObject = {};
	let first = known && Promise.resolve(known);
	const entries = await Promise.all(
		files.map(async (file, i) => {
			const isFirst = i === 0;
			let isTried = false;
			const binary = await downloadFile(n8n, client, async () => {
				const reading = await (isTried ? read() : (first ??= read()));
				isTried = true;
				const found = find(reading, file);
				if ('problem' in found) {
					const { status } = reading;
					throw createOperationError(client.node, found.problem, found.advice, {
						job: { kind, id },
						...(status === undefined ? {} : { status: String(status) }),
					});
				}
				if (isFirst) json = found.json ?? reading;
				const { url, name, extension, mimeType } = found;
				const ending = extension === '' ? '' : `.${readExtension(url) ?? extension}`;
				if (isFirst) return { url, fileName: fileName ?? `${name}${ending}`, mimeType };
				const base = fileName?.replace(/\.[^.]*$/, '') ?? name;
				const other = base.endsWith(`_${file.value}`) ? base : `${base}_${file.value}`;
				return { url, fileName: `${other}${ending}`, mimeType };
			});
			return [isFirst ? field : file.value, binary] as const;
		}),
	);
	return { binary: Object.fromEntries(entries), json };
}
