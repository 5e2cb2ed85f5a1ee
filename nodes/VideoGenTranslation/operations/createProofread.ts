import { operation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { dubbingMode, dubbingTitle } from '../../fields/dubbing';
import {
	outputLanguages,
	proofreadAudioOptions,
	buildStockVoiceConfig,
	translationVideo,
	proofreadAndTranslationOptions,
} from '../translation';
import { proofreadJob } from '../../jobs/catalog';
import { defineJobPerLanguage } from '../jobPerLanguage';

export const createProofread = operation({
	value: 'create',
	name: 'Create',
	action: 'Translate the words of a video to correct them',
	description:
		'Translate the words of a video only, so that you can correct them before they are spoken; each language becomes an item of its own',
	request: 'POST /v3/video-translations/proofreads',
	fields: [
		translationVideo,
		{ ...dubbingTitle, required: true, description: 'The title of the proofread' },
		outputLanguages,
		dubbingMode,
	],
	options: [
		...proofreadAndTranslationOptions,
		...proofreadAudioOptions,
		...callbackFields,
		{
			displayName: 'Stretch Video',
			name: 'enable_video_stretching',
			collection: 'lookAndSound',
			type: 'boolean',
			default: false,
			description: 'Whether the video may become longer or shorter to fit the speech',
		},
	],
	body: ({ values, payload }) => ({ ...payload, ...buildStockVoiceConfig(values) }),
	...defineJobPerLanguage(proofreadJob),
});
