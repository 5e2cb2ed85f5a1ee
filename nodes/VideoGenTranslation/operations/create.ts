import { operation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { dubbingModeField } from '../../fields/dubbing';
import { outputLanguagesField, buildStockVoiceConfig, translationVideo } from '../translation';
import { translationFiles } from '../../jobs/files';
import { translationJob } from '../../jobs/catalog';
import { defineOperationWithJobPerLanguage } from '../jobPerLanguage';
import { checkTranslationOptions, videoTranslationOptions } from '../translationOptions';

export const create = operation({
	value: 'create',
	name: 'Translate',
	action: 'Translate a video',
	description: 'Translate a video into one or more languages, with one output item per language',
	request: 'POST /v3/video-translations',
	fields: [translationVideo, outputLanguagesField, dubbingModeField],
	options: [...videoTranslationOptions, ...callbackFields],
	check: checkTranslationOptions,
	body: ({ values, payload }) => ({ ...payload, ...buildStockVoiceConfig(values) }),
	...defineOperationWithJobPerLanguage(translationJob),
	files: translationFiles,
});
