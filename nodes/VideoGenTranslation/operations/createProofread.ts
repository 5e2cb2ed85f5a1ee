import { operation } from '../../core/operation';
import { callback } from '../../fields/callback';
import { mode, resultTitle } from '../../fields/dubbing';
import {
	outputLanguages,
	soundOptions,
	stockVoices,
	translationVideo,
	translationOptions,
} from '../../fields/translation';
import { proofreadJob } from '../../jobs';
import { perLanguage } from '../perLanguage';

export const createProofread = operation({
	value: 'create',
	name: 'Create',
	action: 'Translate the words of a video to correct them',
	description:
		'Translate the words of a video only, so that you can correct them before they are spoken; each language becomes an item of its own',
	request: 'POST /v3/video-translations/proofreads',
	fields: [
		translationVideo,
		{ ...resultTitle, required: true, description: 'The title of the proofread' },
		outputLanguages,
		mode,
	],
	options: [
		...translationOptions,
		...soundOptions,
		...callback,
		{
			displayName: 'Stretch Video',
			name: 'enable_video_stretching',
			collection: 'lookAndSound',
			type: 'boolean',
			default: false,
			description: 'Whether the video may become longer or shorter to fit the speech',
		},
	],
	body: ({ values, payload }) => ({ ...payload, ...stockVoices(values) }),
	...perLanguage(proofreadJob),
});
