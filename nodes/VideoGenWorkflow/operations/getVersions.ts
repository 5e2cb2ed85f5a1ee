import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { workflowField } from '../workflow';

export const getVersions = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many workflow versions',
	description: 'List the published versions of a workflow',
	request: 'GET /v3/workflows/{workflow_id}/versions',
	returns: ['version_number', 'checksum'],
	fields: [{ ...workflowField, required: true }],
	list: { pageSize: apiLimits['GET /v3/workflows/{workflow_id}/versions'].limit.max },
	reshapeItems: withParentId('workflow_id'),
});
