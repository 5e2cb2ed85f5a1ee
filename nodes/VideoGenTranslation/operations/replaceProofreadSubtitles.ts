import { defineOperation } from '../../core/operation';
import { subtitleFileField } from '../../fields/dubbing';
import { proofreadIdField } from '../translation';

export const replaceProofreadSubtitles = defineOperation({
	value: 'replaceSubtitles',
	name: 'Replace Subtitles',
	action: 'Replace subtitles of proofread',
	description: 'Replace the translated subtitles with corrected ones',
	request: 'PUT /v3/video-translations/proofreads/{proofread_id}/srt',
	returns: ['status'],
	fields: [
		proofreadIdField,
		{
			...subtitleFileField,
			description:
				'The corrected SRT file: a public URL, an asset in the service, or a binary field of the item',
		},
	],
});
