import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { download as downloadFile } from '../../core/file';
import { operation } from '../../core/operation';
import { clip as clipField, clipping } from '../../fields/clipping';
import { clipOf } from '../clips';

/** The files of a clip: the field with the address, and what the file is if nothing tells. */
const files = {
	video: { key: 'video_url', extension: 'mp4', mimeType: 'video/mp4' },
	thumbnail: { key: 'thumbnail_url', extension: 'jpg', mimeType: 'image/jpeg' },
} as const;

export const download = operation({
	value: 'download',
	name: 'Download Clip',
	action: 'Download a clip',
	description: 'Put one clip, or its still picture, into a binary field',
	request: 'GET /v3/ai-clipping/{job_id}',
	fields: [
		clipping,
		clipField,
		{
			displayName: 'File',
			name: 'file',
			type: 'options',
			options: [
				{ name: 'Thumbnail', value: 'thumbnail', description: 'A still picture' },
				{ name: 'Video', value: 'video', description: 'The clip itself' },
			],
			default: 'video',
			description: 'Which file of the clip to download',
			schema: z.enum(['video', 'thumbnail']),
			in: 'local',
		},
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
			description: 'The name of the binary field',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. clip.mp4',
			description: 'The name of the file; without it the ID of the clip',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	async execute({ n8n, client }, values) {
		const { job_id: id, clip_id: clipId } = values;
		const kind = files[values.file ?? 'video'];
		let json: IDataObject = {};
		const binary = await downloadFile(n8n, client, async () => {
			// Read anew for every try, because the addresses expire.
			const job = await client.data({ line: 'GET /v3/ai-clipping/{job_id}', path: { job_id: id } });
			const status = String(job.status);
			const facts = { job: { kind: 'clipping', id }, status };
			const clips = (Array.isArray(job.clips) ? job.clips : []) as IDataObject[];
			const clip = clips.find((one) => String(one.id) === clipId);
			if (!clip) {
				throw operationError(
					client.node,
					`Clipping job ${id} has no clip ${clipId}`,
					status === 'completed'
						? 'Choose one of its clips from the list, or read them with the operation Get.'
						: `The status of the job is "${status}". Its clips are there when it is completed.`,
					facts,
				);
			}
			const url = clip[kind.key];
			if (typeof url !== 'string' || url === '') {
				throw operationError(
					client.node,
					`Clip ${clipId} has no such file: its ${kind.key} is empty`,
					typeof clip.failure_message === 'string' && clip.failure_message !== ''
						? `The service could not make it: ${clip.failure_message}`
						: `Its status is "${String(clip.status ?? status)}". Wait until it is completed.`,
					facts,
				);
			}
			json = clipOf(job, clip);
			return {
				url,
				fileName: values.fileName ?? `${clipId}.${kind.extension}`,
				mimeType: kind.mimeType,
			};
		});
		return [{ json, binary: { [values.binaryPropertyName]: binary } }];
	},
});
