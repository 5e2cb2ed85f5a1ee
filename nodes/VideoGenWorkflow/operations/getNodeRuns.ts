import { defineOperation } from '../../core/operation';
import { workflowRunField } from '../workflowRun';

export const getNodeRuns = defineOperation({
	value: 'getNodes',
	name: 'Get Nodes',
	action: 'Get node runs in workflow run',
	description: 'Get the progress of each node in a run, and the reason for any failure',
	request: 'GET /v3/workflow-runs/{run_id}/nodes',
	returns: ['node_id', 'status', 'error'],
	fields: [{ ...workflowRunField, required: true }],
	list: 'unpaged',
});
