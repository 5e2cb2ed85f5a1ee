import { operation } from '../../core/operation';
import { languagesOf } from '../../fields/translation';

export const getLanguages = operation({
	value: 'getLanguages',
	name: 'Get Many Languages',
	action: 'Get many languages to translate into',
	description: 'List the languages that videos can be translated into',
	request: 'GET /v3/video-translations/languages',
	unwrap: ({ data }) => languagesOf(data),
	itemId: null,
});
