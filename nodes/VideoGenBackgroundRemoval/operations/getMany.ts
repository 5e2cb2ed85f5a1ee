import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many background removals',
	description: 'List background removals, newest first',
	request: 'GET /v3/background-removals',
	list: { pageSize: apiLimits['GET /v3/background-removals'].limit.max, dated: true },
	simple: ['status', 'title', 'duration', 'created_at', 'completed_at'],
});
