import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'List sessions, newest first',
	request: 'GET /v3/video-agents',
	list: { pageSize: apiLimits['GET /v3/video-agents'].limit.max, dated: true },
	simple: ['title', 'created_at'],
});
