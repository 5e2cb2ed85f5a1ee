import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many translations',
	description: 'List translations',
	request: 'GET /v3/video-translations',
	list: { pageSize: apiLimits['GET /v3/video-translations'].limit.max, dated: true },
	simple: [
		'status',
		'title',
		'input_language',
		'output_language',
		'duration',
		'created_at',
		'failure_message',
	],
});
