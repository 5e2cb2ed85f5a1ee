import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { download as downloadFile } from '../../core/file';
import { operation } from '../../core/operation';
import { video } from '../../fields/video';

/** The files of a video: the field with the address, and what the file is if nothing tells. */
const files = {
	video: { key: 'video_url', extension: 'mp4', mimeType: 'video/mp4' },
	captioned: { key: 'captioned_video_url', extension: 'mp4', mimeType: 'video/mp4' },
	subtitle: { key: 'subtitle_url', extension: 'srt', mimeType: 'application/x-subrip' },
	thumbnail: { key: 'thumbnail_url', extension: 'jpg', mimeType: 'image/jpeg' },
	gif: { key: 'gif_url', extension: 'gif', mimeType: 'image/gif' },
} as const;

/** The extension in the path of an address, so that a WebM is not named MP4. */
function extensionOf(url: string, otherwise: string): string {
	return /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? otherwise;
}

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a file of a video',
	description: 'Put the video, or another of its files, into a binary field',
	request: 'GET /v3/videos/{video_id}',
	fields: [
		{ ...video, required: true },
		{
			displayName: 'File',
			name: 'file',
			type: 'options',
			options: [
				{ name: 'GIF', value: 'gif', description: 'A short preview that moves' },
				{ name: 'Subtitle', value: 'subtitle', description: 'The spoken words with times (SRT)' },
				{ name: 'Thumbnail', value: 'thumbnail', description: 'A still picture' },
				{ name: 'Video', value: 'video', description: 'The finished video' },
				{
					name: 'Video With Captions',
					value: 'captioned',
					description: 'The video with the words in the picture',
				},
			],
			default: 'video',
			description: 'Which file of the video to download',
			schema: z.enum(['video', 'captioned', 'subtitle', 'thumbnail', 'gif']),
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
			placeholder: 'e.g. welcome.mp4',
			description: 'The name of the file; without it the ID of the video',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	async execute({ n8n, client }, values) {
		const kind = files[values.file ?? 'video'];
		let read: IDataObject = {};
		const binary = await downloadFile(n8n, client, async () => {
			// Read anew for every try, because the addresses expire.
			read = await client.data({
				line: 'GET /v3/videos/{video_id}',
				path: { video_id: values.video_id },
			});
			const url = read[kind.key];
			if (typeof url !== 'string' || url === '') {
				throw operationError(
					client.node,
					`Video ${values.video_id} has no such file: its ${kind.key} is empty`,
					read.status === 'completed'
						? 'It was made without this file. Captions, for instance, must be asked for when the video is created.'
						: `Its status is "${String(read.status)}". Wait until it is completed.`,
					{ job: { kind: 'video', id: values.video_id }, status: String(read.status) },
				);
			}
			return {
				url,
				fileName: values.fileName ?? `${values.video_id}.${extensionOf(url, kind.extension)}`,
				mimeType: kind.mimeType,
			};
		});
		return [{ json: read, binary: { [values.binaryPropertyName]: binary } }];
	},
});
