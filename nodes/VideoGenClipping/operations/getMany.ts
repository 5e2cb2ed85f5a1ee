import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many long videos with their clips',
	description: 'List clipping jobs with their clips, newest first',
	request: 'GET /v3/ai-clipping',
	list: { pageSize: apiLimits['GET /v3/ai-clipping'].limit.max, dated: true },
	simple: [
		'status',
		'title',
		'progress',
		'input_language',
		'source_duration',
		'created_at',
		'failure_message',
	],
});
