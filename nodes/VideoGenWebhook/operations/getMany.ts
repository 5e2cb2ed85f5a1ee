import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many endpoints',
	description: 'List the registered URLs and their events, without their secrets',
	request: 'GET /v3/webhooks/endpoints',
	returns: ['url', 'events', 'status'],
	list: { pageSize: 100 },
});
