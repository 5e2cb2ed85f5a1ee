import { z } from 'zod';
import { operation } from '../../core/operation';
import {
	audioFile,
	downloads,
	fileName,
	fileOfJob,
	outputField,
	srtFile,
	videoFile,
	vttFile,
} from '../../fields/download';
import { translation } from '../../fields/translation';
import { translationJob } from '../../jobs';

const files = {
	video: videoFile,
	audio: audioFile,
	srt: srtFile('srt_caption_url'),
	vtt: vttFile('vtt_caption_url'),
} as const;

type Wanted = { video_translation_id: string; file?: keyof typeof files };

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a translated video or its subtitles',
	description: 'Put the translated video, its sound or its captions into a binary field',
	request: 'GET /v3/video-translations/{video_translation_id}',
	fields: [
		{ ...translation, required: true },
		{
			displayName: 'File',
			name: 'file',
			type: 'options',
			options: [
				{ name: 'Audio', value: 'audio', description: 'The translated sound' },
				{ name: 'Captions (SRT)', value: 'srt', description: 'The translated words with times' },
				{
					name: 'Captions (VTT)',
					value: 'vtt',
					description: 'The same words, as browsers like them',
				},
				{ name: 'Video', value: 'video', description: 'The translated video' },
			],
			default: 'video',
			description: 'Which file of the translation to download',
			schema: z.enum(['video', 'audio', 'srt', 'vtt']),
			in: 'local',
		},
		outputField,
	],
	options: [fileName],
	...downloads(translationJob, (read, { video_translation_id, file = 'video' }: Wanted) =>
		fileOfJob(
			translationJob,
			read,
			files[file],
			video_translation_id,
			'It was made without this file. A translation of the sound alone, for instance, has no video.',
		),
	),
});
