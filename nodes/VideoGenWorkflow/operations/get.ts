import { operation } from '../../core/operation';
import { workflowField } from '../workflow';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get workflow',
	description: 'Get the name, status, draft and draft_revision of a workflow',
	request: 'GET /v3/workflows/{workflow_id}',
	returns: ['name', 'status', 'draft_revision'],
	fields: [{ ...workflowField, required: true }],
});
