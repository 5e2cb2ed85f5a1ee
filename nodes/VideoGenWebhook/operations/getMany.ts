import { operation } from '../../core/operation';
import { groups } from '../groups';

export const getMany = operation({
	value: 'getAll',
	group: groups.endpoint,
	name: 'Get Many',
	action: 'Get many endpoints',
	description: 'List the registered addresses and their events; secrets are not shown again',
	request: 'GET /v3/webhooks/endpoints',
	fields: [],
	list: 100,
});
