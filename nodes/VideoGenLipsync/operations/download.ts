import { z } from 'zod';
import { operation } from '../../core/operation';
import {
	fileIn,
	fileName,
	fileOf,
	videoFile,
	outputField,
	srtFile,
	waitOr,
} from '../../fields/download';
import { lipsync } from '../../fields/lipsync';
import { lipsyncJob } from '../../jobs';

const files = { video: videoFile, captions: srtFile('caption_url') } as const;

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a file of a lipsync',
	description: 'Put the finished video or its captions into a binary field',
	request: 'GET /v3/lipsyncs/{lipsync_id}',
	fields: [
		{ ...lipsync, required: true },
		{
			displayName: 'File',
			name: 'file',
			type: 'options',
			options: [
				{ name: 'Captions', value: 'captions', description: 'The spoken words with times (SRT)' },
				{ name: 'Video', value: 'video', description: 'The finished video' },
			],
			default: 'video',
			description: 'Which file of the lipsync to download',
			schema: z.enum(['video', 'captions']),
			in: 'local',
		},
		outputField,
	],
	options: [{ ...fileName, placeholder: 'e.g. welcome.mp4' }],
	async execute(context) {
		const { values } = context;
		const { lipsync_id: id } = values;
		const file = files[values.file ?? 'video'];
		return await fileOf(
			context,
			lipsyncJob,
			id,
			(read) =>
				fileIn(read, file, id, {
					problem: `The ${lipsyncJob.kind} ${id} has no such file: its ${file.key} is empty`,
					advice: waitOr(lipsyncJob, read, 'It was made without this file.'),
				}),
			values,
		);
	},
});
