import { defineOperation } from '../../core/operation';
import { workflowRunField } from '../workflowRun';

export const getRun = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get run and its results',
	description: "Get a run's status, progress and outputs",
	request: 'GET /v3/workflow-runs/{run_id}',
	returns: ['status', 'progress', 'outputs', 'error'],
	fields: [{ ...workflowRunField, required: true }],
});
