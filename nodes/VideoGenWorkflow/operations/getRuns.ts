import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getRuns = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many workflow runs',
	description: 'List the runs of all workflows',
	request: 'GET /v3/workflow-runs',
	returns: ['status', 'created_at'],
	list: { pageSize: apiLimits['GET /v3/workflow-runs'].limit.max },
});
