import { z } from 'zod';
import { operation } from '../../core/operation';
import {
	downloads,
	fileName,
	fileOfJob,
	outputField,
	srtFile,
	videoFile,
} from '../../fields/download';
import { lipsync } from '../../fields/lipsync';
import { lipsyncJob } from '../../jobs';

const files = { video: videoFile, captions: srtFile('caption_url') } as const;

type Wanted = { lipsync_id: string; file?: keyof typeof files };

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a lipsynced video',
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
	...downloads(lipsyncJob, (read, { lipsync_id, file = 'video' }: Wanted) =>
		fileOfJob(lipsyncJob, read, files[file], lipsync_id),
	),
});
