import { defineOperation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { dubbingModeField, dubbingTitleField } from '../../fields/dubbing';
import {
	outputLanguagesField,
	proofreadAudioOptions,
	buildStockVoiceConfig,
	findStockVoiceConflict,
	translationVideoField,
	proofreadAndTranslationOptions,
} from '../translation';
import { proofreadJob } from '../../jobKinds/catalog';
import { createJobPerLanguageOperationBase } from '../jobPerLanguage';

export const createProofread = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Translate video subtitles for proofreading',
	description:
		"Translate only a video's subtitles so that you can correct them before dubbing, and return one item per language",
	request: 'POST /v3/video-translations/proofreads',
	returns: ['status', 'output_language'],
	fields: [
		translationVideoField,
		{ ...dubbingTitleField, required: true, description: 'Title of the proofread' },
		outputLanguagesField,
		dubbingModeField,
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
			default: true,
			description: "Whether the video's length may change to fit the speech",
		},
	],
	check: (values) => [findStockVoiceConflict(values)],
	body: ({ values, payload }) => ({ ...payload, ...buildStockVoiceConfig(values) }),
	...createJobPerLanguageOperationBase(proofreadJob),
});
