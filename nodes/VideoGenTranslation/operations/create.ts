import { operation } from '../../core/operation';
import { callbackFields } from '../../fields/callback';
import { dubbingMode } from '../../fields/dubbing';
import { outputLanguages, buildStockVoices, translationVideo } from '../translation';
import { translationFiles } from '../../jobs/files';
import { translationJob } from '../../jobs/catalog';
import { perLanguage } from '../perLanguage';
import { checkTranslation, videoTranslationOptions } from '../translationOptions';

export const create = operation({
	value: 'create',
	name: 'Translate',
	action: 'Translate a video',
	description: 'Translate a video into one or several languages; each becomes an item of its own',
	request: 'POST /v3/video-translations',
	fields: [translationVideo, outputLanguages, dubbingMode],
	options: [...videoTranslationOptions, ...callbackFields],
	check: checkTranslation,
	body: ({ values, payload }) => ({ ...payload, ...buildStockVoices(values) }),
	...perLanguage(translationJob),
	files: translationFiles,
});
