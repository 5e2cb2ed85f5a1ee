/** A file of a finished translation, proofread or lipsync, put into a binary field. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../core/errors';
import type { Field } from '../core/field';
import { download } from '../core/file';
import type { Job } from '../core/job';
import type { ExecuteContext } from '../core/operation';

/** Where the address of a file is found, and what the file is if nothing tells. */
export interface ResultFile {
	key: string;
	extension: string;
	mimeType: string;
}

export const film: ResultFile = { key: 'video_url', extension: 'mp4', mimeType: 'video/mp4' };
export const speech: ResultFile = { key: 'audio_url', extension: 'wav', mimeType: 'audio/wav' };

/** Subtitles under this key of the answer. */
export const srt = (key: string): ResultFile => ({
	key,
	extension: 'srt',
	mimeType: 'application/x-subrip',
});

export const vtt = (key: string): ResultFile => ({ key, extension: 'vtt', mimeType: 'text/vtt' });

export const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. talk-german.mp4',
	description: 'The name of the file; without it the ID of what it belongs to',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

/** The extension in the path of an address, so that an MP3 is not named WAV. */
function extensionOf(url: string, otherwise: string): string {
	return /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? otherwise;
}

/**
 * The item of a download: what was read, with the file.
 *
 * @param line where the address is read, if not where the job is
 */
export async function downloadOf(
	{ n8n, client }: ExecuteContext,
	{ job, id, file, line = job.read }: { job: Job; id: string; file: ResultFile; line?: string },
	to: { field: string; fileName?: string },
): Promise<INodeExecutionData> {
	let read: IDataObject = {};
	const binary = await download(n8n, client, async () => {
		// Read anew for every try, because the addresses expire.
		read = await client.data({ line, path: { [job.id]: id } });
		const url = read[file.key];
		if (typeof url === 'string' && url !== '') {
			return {
				url,
				fileName: to.fileName ?? `${id}.${extensionOf(url, file.extension)}`,
				mimeType: file.mimeType,
			};
		}
		const { status } = read;
		throw operationError(
			client.node,
			`The ${job.kind} ${id} has no such file: its ${file.key} is empty`,
			status === undefined || status === 'completed'
				? 'It was made without this file. A translation of the sound alone, for instance, has no video.'
				: `Its status is "${String(status)}". Wait until it is completed.`,
			{ job: { kind: job.kind, id }, ...(status === undefined ? {} : { status: String(status) }) },
		);
	});
	return { json: read, binary: { [to.field]: binary } };
}
