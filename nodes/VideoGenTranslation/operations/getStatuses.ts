import { operation } from '../../core/operation';
import { defineStatusLookup } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get statuses of translations',
	description: 'Get the statuses of many translations and batches at once',
	request: 'GET /v3/video-translations/statuses',
	...defineStatusLookup('Translation', 'video_translation_id', 'translation_1, translation_2'),
});
