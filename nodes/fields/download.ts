/** A file of the service put into a binary field: the fields of the form, and the way there. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../core/errors/words';
import { download } from '../core/files/download';
import type { Field } from '../core/form/field';
import { failureOf, type Job, stateOf } from '../core/jobs/job';
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
	const url = read[key];
	return typeof url === 'string' && url !== '' ? { ...file, url, name } : missing;
}

/** What to do while a job has no file: wait, make it again, or know that it was made without one. */
export function waitOr(job: Job, read: IDataObject, otherwise: string): string {
	const { status } = read;
	const state = status === undefined ? 'completed' : stateOf(job, read);
	if (state === 'completed') return otherwise;
	return state === 'failed'
		? `Its status is "${String(status)}": ${failureOf(read).reason}. Change the input and create it again.`
		: `Its status is "${String(status)}". Wait until it is completed.`;
}

/** The extension in the path of an address, so that a WebM is not named MP4. */
const extensionOf = (url: string) => /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase();

/**
 * The item of a download: what was read, with the file.
 *
 * @param job where the file is read: its kind, its id, and the request line
 */
export async function downloadOf(
	{ n8n, client }: ExecuteContext,
	job: { kind: string; id: string; line: string; placeholder: string },
	find: (read: IDataObject) => Found,
	to: { binaryPropertyName?: string; fileName?: string },
): Promise<INodeExecutionData[]> {
	let json: IDataObject = {};
	const binary = await download(n8n, client, async () => {
		// Read anew for every try, because the addresses expire.
		const read = await client.data({ line: job.line, path: { [job.placeholder]: job.id } });
		const found = find(read);
		if ('problem' in found) {
			const { status } = read;
			throw operationError(client.node, found.problem, found.advice, {
				job: { kind: job.kind, id: job.id },
				...(status === undefined ? {} : { status: String(status) }),
			});
		}
		json = found.json ?? read;
		const { url, name, extension, mimeType } = found;
		const own = extension === '' ? name : `${name}.${extensionOf(url) ?? extension}`;
		return { url, fileName: to.fileName ?? own, mimeType };
	});
	return [{ json, binary: { [to.binaryPropertyName ?? 'data']: binary } }];
}

/** The same for a job of a known kind, which is read where its state is read. */
export const fileOf = async (
	context: ExecuteContext,
	job: { kind: string; id: string; read: string },
	id: string,
	find: (read: IDataObject) => Found,
	to: { binaryPropertyName?: string; fileName?: string },
) =>
	await downloadOf(context, { kind: job.kind, id, line: job.read, placeholder: job.id }, find, to);
