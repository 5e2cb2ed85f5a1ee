import { operation } from '../../core/operation';
import { callback } from '../../fields/callback';
import { mode } from '../../fields/dubbing';
import { outputLanguages, stockVoices, translationVideo } from '../../fields/translation';
import { translationFiles } from '../../files';
import { translationJob } from '../../jobs';
import { perLanguage } from '../perLanguage';
import { checkTranslation, videoTranslationOptions } from '../translationForm';

export const create = operation({
	value: 'create',
	name: 'Translate',
	action: 'Translate a video',
	description: 'Translate a video into one or several languages; each becomes an item of its own',
	request: 'POST /v3/video-translations',
	fields: [translationVideo, outputLanguages, mode],
	options: [...videoTranslationOptions, ...callback],
	check: checkTranslation,
	body: ({ values, payload }) => ({ ...payload, ...stockVoices(values) }),
	...perLanguage(translationJob),
	files: translationFiles,
});
