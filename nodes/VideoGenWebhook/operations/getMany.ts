import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many endpoints',
	description: 'List the registered URLs and their events, but not the signing secrets',
	request: 'GET /v3/webhooks/endpoints',
	returns: ['url', 'events', 'status'],
	list: { pageSize: apiLimits['GET /v3/webhooks/endpoints'].limit.max },
});
