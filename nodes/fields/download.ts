/** A file of the service put into a binary field: the fields of the form, and the way there. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../core/errors/words';
import { download } from '../core/files/download';
import type { Field } from '../core/form/field';
import { textOf } from '../core/json';
import { failureOf, kindName, type Job, stateOf } from '../core/jobs/job';
import type { ExecuteContext } from '../core/operation';

/** The binary field that a downloaded file is put into. */
export const outputField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

export const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. welcome.mp4',
	description: 'The name of the file; without it the ID of what it belongs to',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

/** A kind of file: where its address is found, and what it is if nothing tells. */
export interface ResultFile {
	key: string;
	extension: string;
	mimeType: string;
}

export const videoFile: ResultFile = { key: 'video_url', extension: 'mp4', mimeType: 'video/mp4' };
export const audioFile: ResultFile = { key: 'audio_url', extension: 'wav', mimeType: 'audio/wav' };
export const thumbnailFile: ResultFile = {
	key: 'thumbnail_url',
	extension: 'jpg',
	mimeType: 'image/jpeg',
};

/** Subtitles under this key of the answer. */
export const srtFile = (key: string): ResultFile => ({
	key,
	extension: 'srt',
	mimeType: 'application/x-subrip',
});

export const vttFile = (key: string): ResultFile => ({
	key,
	extension: 'vtt',
	mimeType: 'text/vtt',
});

/** A file that is there, or what to say because it is not. */
export type Found =
	| {
			url: string;
			mimeType: string;
			/** Name of the file if the user gives none; the extension of the address goes before. */
			name: string;
			extension: string;
			/** The json of the item, if not all that was read. */
			json?: IDataObject;
	  }
	| { problem: string; advice: string };

/** The file that an answer holds, or what to say because its address is empty. */
export function fileIn(
	read: IDataObject,
	{ key, ...file }: ResultFile,
	name: string,
	missing: { problem: string; advice: string },
): Found {
	const url = textOf(read[key]);
	return url === undefined ? missing : { ...file, url, name };
}

/**
 * What to do while a job has no file: wait, make it again, or know that it was made without one. What
 * the reading says is judged as in a wait.
 */
export function waitOr(job: Job, read: IDataObject, otherwise: string): string {
	const state = stateOf(job, read);
	if (state === 'completed') return otherwise;
	const word = textOf(read.status);
	const status = word === undefined ? 'It tells no status' : `Its status is "${word}"`;
	return state === 'failed'
		? `${status}: ${failureOf(read).reason}. Change the input and create it again.`
		: `${status}. Wait until it is completed.`;
}

/** The file that a reading of a job holds, or what to do because it holds none. */
export const fileOfJob = (
	job: Job,
	read: IDataObject,
	file: ResultFile,
	id: string,
	otherwise = 'It was made without this file.',
): Found =>
	fileIn(read, file, id, {
		problem: `The ${kindName(job)} ${id} has no such file: its ${file.key} is empty`,
		advice: waitOr(job, read, otherwise),
	});

/** The extension in the path of an address, so that a WebM is not named MP4. */
const extensionOf = (url: string) => /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();

/** Where a file is read: the kind of what it belongs to, the request line, and its identifier. */
type Place = Pick<Job, 'kind' | 'read' | 'id'>;

/** The values of a download: the fields above, and the identifier of its place. */
type DownloadValues = { binaryPropertyName?: string; fileName?: string; [name: string]: unknown };

/** The item of a download: what was read, with the file. */
export async function downloadOf(
	{ n8n, client, values }: ExecuteContext & { values: DownloadValues },
	{ kind, id: key, read: line }: Place,
	find: (read: IDataObject) => Found,
): Promise<INodeExecutionData[]> {
	const id = String(values[key]);
	let json: IDataObject = {};
	const binary = await download(n8n, client, async () => {
		// Read anew for every try, because the addresses expire.
		const read = await client.data({ line, path: { [key]: id } });
		const found = find(read);
		if ('problem' in found) {
			const { status } = read;
			throw operationError(client.node, found.problem, found.advice, {
				job: { kind, id },
				...(status === undefined ? {} : { status: String(status) }),
			});
		}
		json = found.json ?? read;
		const { url, name, extension, mimeType } = found;
		const own = extension === '' ? name : `${name}.${extensionOf(url) ?? extension}`;
		return { url, fileName: values.fileName ?? own, mimeType };
	});
	return [{ json, binary: { [values.binaryPropertyName ?? 'data']: binary } }];
}

/** What downloads share. `find` finds the file in what was read of the place. */
export const downloads = <V extends DownloadValues>(
	place: Place,
	find: (read: IDataObject, values: V) => Found,
) => ({
	execute: async (context: ExecuteContext & { values: V }) =>
		await downloadOf(context, place, (read) => find(read, context.values)),
});
