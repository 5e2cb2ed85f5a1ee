import { defineOperation } from '../../core/operation';
import { workflowField } from '../workflow';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get workflow',
	description: "Get a workflow's name, status, draft and draft_revision",
	request: 'GET /v3/workflows/{workflow_id}',
	returns: ['name', 'status', 'draft_revision'],
	fields: [{ ...workflowField, required: true }],
});
