import { operation } from '../../core/operation';
import { subtitles } from '../../fields/dubbing';
import { proofread } from '../translation';

export const replaceProofreadSubtitles = operation({
	value: 'replaceSubtitles',
	name: 'Replace Subtitles',
	action: 'Put corrected subtitles into a translation',
	description: 'Put corrected subtitles in place of the translated ones',
	request: 'PUT /v3/video-translations/proofreads/{proofread_id}/srt',
	fields: [
		proofread,
		{
			...subtitles,
			description:
				'The corrected SRT file: a public address, an asset of the service, or a file of the item',
		},
	],
});
