import { z } from 'zod';
import { objectsOf, textOf } from '../../core/json';
import { operation } from '../../core/operation';
import { clip, clipping } from '../../fields/clipping';
import {
	downloads,
	fileIn,
	fileName,
	outputField,
	thumbnailFile,
	videoFile,
	waitOr,
} from '../../fields/download';
import { clippingJob } from '../../jobs';
import { clipOf } from '../clips';

const files = { video: videoFile, thumbnail: thumbnailFile } as const;

type Wanted = { job_id: string; clip_id: string; file?: keyof typeof files };

export const download = operation({
	value: 'download',
	name: 'Download Clip',
	action: 'Download a clip',
	description: 'Put one clip, or its still picture, into a binary field',
	request: 'GET /v3/ai-clipping/{job_id}',
	fields: [
		clipping,
		clip,
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
		outputField,
	],
	options: [
		{
			...fileName,
			placeholder: 'e.g. clip.mp4',
			description: 'The name of the file; without it the ID of the clip',
		},
	],
	...downloads(clippingJob, (read, { job_id, clip_id, file = 'video' }: Wanted) => {
		const chosen = objectsOf(read.clips).find(({ id }) => String(id) === clip_id);
		if (!chosen) {
			return {
				problem: `Clipping job ${job_id} has no clip ${clip_id}`,
				advice: waitOr(
					clippingJob,
					read,
					'Choose one of its clips from the list, or read them with the operation Get.',
				),
			};
		}
		const reason = textOf(chosen.failure_message);
		const found = fileIn(chosen, files[file], clip_id, {
			problem: `Clip ${clip_id} has no such file: its ${files[file].key} is empty`,
			advice: waitOr(
				clippingJob,
				chosen.status === undefined ? read : chosen,
				reason === undefined
					? 'It was made without this file.'
					: `The service could not make it: ${reason}`,
			),
		});
		return { ...found, json: clipOf(read, chosen) };
	}),
});
