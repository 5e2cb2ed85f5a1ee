import { operation } from '../../core/operation';
import { downloadOf, fileName, filesField, inJob, outputField } from '../../fields/download';
import { proofread } from '../../fields/translation';
import { proofreadFiles } from '../../files';
import { proofreadJob } from '../../jobs';

const line = 'GET /v3/video-translations/proofreads/{proofread_id}/srt';

export const getProofreadSubtitles = operation({
	value: 'getSubtitles',
	name: 'Get Subtitles',
	action: 'Get the subtitles to correct',
	description: 'Read where the subtitles of a proofread are, or put them into binary fields',
	request: line,
	fields: [
		proofread,
		{
			...filesField(proofreadFiles, 'proofread'),
			displayName: 'Download',
			name: 'download',
			default: [],
			required: false,
			schema: filesField(proofreadFiles, 'proofread').schema.min(0),
		},
		outputField,
	],
	options: [fileName('talk-german.srt')],
	async execute(context) {
		const { download = [] } = context.values;
		const wanted = proofreadFiles.filter(({ value }) => download.includes(value));
		if (wanted.length === 0) return [{ json: await context.send() }];
		const place = { ...proofreadJob, read: line };
		return await downloadOf(context, place, wanted, inJob(proofreadJob));
	},
});
