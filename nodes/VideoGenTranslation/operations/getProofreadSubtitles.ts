import {
	describeBinaryFields,
	downloadSelectionText,
	fileNameField,
} from '../../core/form/commonFields';
import { defineOperation } from '../../core/operation';
import {
	downloadFilesToItem,
	createDownloadSelectionField,
	createJobFileFinder,
	outputBinaryField,
} from '../../fields/download';
import { proofreadIdField } from '../translation';
import { proofreadResultFiles } from '../../jobKinds/files';
import { proofreadJob } from '../../jobKinds/catalog';

const line = 'GET /v3/video-translations/proofreads/{proofread_id}/srt';

export const getProofreadSubtitles = defineOperation({
	value: 'getSubtitles',
	name: 'Get Subtitles',
	action: 'Get subtitles to correct',
	description: "Get the URLs of a proofread's subtitles, or download the files into binary fields",
	request: line,
	returns: ['srt_url', 'original_srt_url'],
	fields: [
		proofreadIdField,
		{
			...createDownloadSelectionField(proofreadResultFiles, 'proofread'),
			displayName: 'Download',
			name: 'download',
			default: [],
			description: `Subtitle files to put into the item's binary fields. ${downloadSelectionText} ${describeBinaryFields(proofreadResultFiles, 'the field below')}.`,
			required: false,
			hint: 'If empty, the item contains only the file URLs',
			schema: createDownloadSelectionField(proofreadResultFiles, 'proofread').schema.min(0),
		},
		outputBinaryField,
	],
	options: [fileNameField],
	async execute(context) {
		const { download = [] } = context.values;
		const files = proofreadResultFiles.filter(({ value }) => download.includes(value));
		if (files.length === 0) return [{ json: await context.send() }];
		const endpoint = { ...proofreadJob, read: line };
		const find = createJobFileFinder(proofreadJob);
		const main = proofreadResultFiles[0]?.value;
		return await downloadFilesToItem(context, endpoint, files, find, main);
	},
});
