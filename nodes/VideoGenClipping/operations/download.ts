import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operation } from '../../core/operation';
import { clip as clipField, clipping } from '../../fields/clipping';
import { fileIn, fileName, fileOf, film, outputField, still, waitOr } from '../../fields/download';
import { clipping as job } from '../../jobs';
import { clipOf } from '../clips';

const files = { video: film, thumbnail: still } as const;

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
			job,
			id,
			(read) => {
				const clips = (Array.isArray(read.clips) ? read.clips : []) as IDataObject[];
				const clip = clips.find((one) => String(one.id) === clipId);
				if (!clip) {
					return {
						problem: `Clipping job ${id} has no clip ${clipId}`,
						advice: waitOr(
							job,
							read,
							'Choose one of its clips from the list, or read them with the operation Get.',
						),
					};
				}
				const { failure_message: reason } = clip;
				const state = clip.status === undefined ? read : clip;
				const found = fileIn(clip, file, clipId, {
					problem: `Clip ${clipId} has no such file: its ${file.key} is empty`,
					advice: waitOr(
						job,
						state,
						typeof reason === 'string' && reason !== ''
							? `The service could not make it: ${reason}`
							: 'It was made without this file.',
					),
				});
				return { ...found, json: clipOf(read, clip) };
			},
			values,
		);
	},
});
