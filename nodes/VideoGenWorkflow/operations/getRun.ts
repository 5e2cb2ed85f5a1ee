import { defineOperation } from '../../core/operation';
import { workflowRunField } from '../workflowRun';

export const getRun = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get run and its results',
	description: 'Get the status, progress and outputs of a run',
	request: 'GET /v3/workflow-runs/{run_id}',
	returns: ['status', 'progress', 'outputs', 'error'],
	fields: [{ ...workflowRunField, required: true }],
});
