import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many rendered compositions',
	description: "List the account's composition renders",
	request: 'GET /v3/hyperframes/renders',
	list: { pageSize: apiLimits['GET /v3/hyperframes/renders'].limit.max, dated: true },
	simple: ['status', 'title', 'duration', 'created_at', 'completed_at', 'failure_message'],
});
