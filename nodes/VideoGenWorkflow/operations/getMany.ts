import { operation } from '../../core/operation';
import { groups } from '../groups';

export const getMany = operation({
	value: 'getAll',
	group: groups.workflow,
	name: 'Get Many',
	action: 'Get many workflows',
	description: 'List the workflows of the account',
	request: 'GET /v3/workflows',
	fields: [],
	list: 100,
});
