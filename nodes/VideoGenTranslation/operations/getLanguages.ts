import { defineOperation } from '../../core/operation';
import { readLanguageObjects } from '../translation';

export const getLanguages = defineOperation({
	value: 'getLanguages',
	name: 'Get Many Languages',
	action: 'Get many languages to translate into',
	description: 'List the languages that videos can be translated into',
	request: 'GET /v3/video-translations/languages',
	returns: ['language'],
	unwrap: ({ data }) => readLanguageObjects(data),
	itemId: null,
});
