import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many lipsyncs',
	description: 'List lipsyncs',
	request: 'GET /v3/lipsyncs',
	list: { pageSize: apiLimits['GET /v3/lipsyncs'].limit.max, dated: true },
	simple: ['status', 'title', 'duration', 'created_at', 'failure_message'],
});
