import { defineOperation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { workflowVersionField, workflowField } from '../workflow';

export const getVersion = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get workflow version',
	description: 'Get the graph of a published version and the plan built from it',
	request: 'GET /v3/workflows/{workflow_id}/versions/{version}',
	returns: ['version_number', 'checksum'],
	fields: [
		{ ...workflowField, required: true },
		{ ...workflowVersionField, required: true },
	],
	reshapeItems: withParentId('workflow_id'),
});
