import { z } from 'zod';
import { operation } from '../../core/operation';
import { outputField } from '../../fields/asset';
import { downloadOf, fileName, film, speech, srt, vtt } from '../../fields/dubbingFile';
import { translation } from '../../fields/translation';
import { translation as job } from '../../jobs';
import { translations } from '../groups';

const files = {
	video: film,
	audio: speech,
	srt: srt('srt_caption_url'),
	vtt: vtt('vtt_caption_url'),
} as const;

export const download = operation({
	group: translations,
	value: 'download',
	name: 'Download',
	action: 'Download a file of a translation',
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
	async execute(context, values) {
		const file = files[values.file ?? 'video'];
		const to = { field: values.binaryPropertyName, fileName: values.fileName };
		return [await downloadOf(context, { job, id: values.video_translation_id, file }, to)];
	},
});
