import { defineOperation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { dubbingModeField } from '../../fields/dubbing';
import { outputLanguagesField, buildStockVoiceConfig, translationVideoField } from '../translation';
import { translationResultFiles } from '../../jobKinds/files';
import { translationJob } from '../../jobKinds/catalog';
import { createJobPerLanguageOperationBase } from '../jobPerLanguage';
import { findTranslationOptionErrors, videoTranslationOptions } from '../translationOptions';

export const create = defineOperation({
	value: 'create',
	name: 'Translate',
	action: 'Translate video',
	description:
		'Translate a video into one or more languages, with one output item per language. Captions are always created.',
	request: 'POST /v3/video-translations',
	returns: ['status', 'output_language', 'video_url'],
	fields: [translationVideoField, outputLanguagesField, dubbingModeField],
	options: [...videoTranslationOptions, ...callbackFields],
	check: findTranslationOptionErrors,
	body: ({ values, payload }) => ({ ...payload, ...buildStockVoiceConfig(values) }),
	...createJobPerLanguageOperationBase(translationJob),
	files: translationResultFiles,
});
