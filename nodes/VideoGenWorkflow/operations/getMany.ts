import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many workflows',
	description: 'List the workflows on the account',
	request: 'GET /v3/workflows',
	returns: ['name', 'status', 'draft_revision'],
	list: { pageSize: apiLimits['GET /v3/workflows'].limit.max },
});
