import { operation } from '../../core/operation';

export const getMany = operation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many endpoints',
	description: 'List the registered addresses and their events; secrets are not shown again',
	request: 'GET /v3/webhooks/endpoints',
	list: { pageSize: 100 },
});
