import { z } from 'zod';
import { operation } from '../../core/operation';
import { downloadOf, fileName, fileOfJob, outputField, srtFile } from '../../fields/download';
import { proofread } from '../../fields/translation';
import { proofreadJob } from '../../jobs';

const line = 'GET /v3/video-translations/proofreads/{proofread_id}/srt';

export const getProofreadSubtitles = operation({
	value: 'getSubtitles',
	name: 'Get Subtitles',
	action: 'Get the subtitles to correct',
	description: 'Read where the subtitles of a proofread are, or put them into a binary field',
	request: line,
	fields: [
		proofread,
		{
			displayName: 'Download',
			name: 'download',
			type: 'options',
			options: [
				{ name: 'Nothing', value: 'none', description: 'Give the addresses of both files only' },
				{
					name: 'Original Subtitles',
					value: 'original_srt_url',
					description: 'The words of the video as it is',
				},
				{
					name: 'Translated Subtitles',
					value: 'srt_url',
					description: 'The words to correct',
				},
			],
			default: 'none',
			description: 'Which of the two files to put into a binary field',
			schema: z.enum(['none', 'srt_url', 'original_srt_url']),
			in: 'local',
		},
		{ ...outputField, displayOptions: { show: { download: ['srt_url', 'original_srt_url'] } } },
	],
	options: [{ ...fileName, placeholder: 'e.g. talk-german.srt' }],
	async execute(context) {
		const { download = 'none', proofread_id: id } = context.values;
		if (download === 'none') return [{ json: await context.send() }];
		return await downloadOf(context, { ...proofreadJob, read: line }, (read) =>
			fileOfJob(proofreadJob, read, srtFile(download), id),
		);
	},
});
