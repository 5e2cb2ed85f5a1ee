import { otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { buildGetStatusesOperationBase } from '../../fields/statuses';

export const getStatuses = defineOperation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get translation statuses',
	description: `Get the statuses of up to ${otherLimits.lookupIds} translations or batches in one request and return one item per translation`,
	request: 'GET /v3/video-translations/statuses',
	returns: ['status', 'error'],
	...buildGetStatusesOperationBase(
		'Translation',
		'video_translation_id',
		'translation_1, translation_2',
	),
});
