import { z } from 'zod';
import { objectsOf } from '../../core/json';
import { operation } from '../../core/operation';
import { clip, clipping } from '../../fields/clipping';
import {
	fileIn,
	fileName,
	fileOf,
	videoFile,
	outputField,
	thumbnailFile,
	waitOr,
} from '../../fields/download';
import { clippingJob } from '../../jobs';
import { clipOf } from '../clips';

const files = { video: videoFile, thumbnail: thumbnailFile } as const;

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
	async execute(context) {
		const { values } = context;
		const { job_id: id, clip_id: clipId } = values;
		const file = files[values.file ?? 'video'];
		return await fileOf(
			context,
			clippingJob,
			id,
			(read) => {
				const chosen = objectsOf(read.clips).find((one) => String(one.id) === clipId);
				if (!chosen) {
					return {
						problem: `Clipping job ${id} has no clip ${clipId}`,
						advice: waitOr(
							clippingJob,
							read,
							'Choose one of its clips from the list, or read them with the operation Get.',
						),
					};
				}
				const { failure_message: reason } = chosen;
				const state = chosen.status === undefined ? read : chosen;
				const found = fileIn(chosen, file, clipId, {
					problem: `Clip ${clipId} has no such file: its ${file.key} is empty`,
					advice: waitOr(
						clippingJob,
						state,
						typeof reason === 'string' && reason !== ''
							? `The service could not make it: ${reason}`
							: 'It was made without this file.',
					),
				});
				return { ...found, json: clipOf(read, chosen) };
			},
			values,
		);
	},
});
