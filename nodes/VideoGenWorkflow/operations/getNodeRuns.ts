import { operation } from '../../core/operation';
import { workflowRun } from '../workflowRun';

export const getNodeRuns = operation({
	value: 'getNodes',
	name: 'Get Nodes',
	action: 'Get the steps of a run',
	description: 'Read how far each node of a run is, and why a node failed',
	request: 'GET /v3/workflow-runs/{run_id}/nodes',
	fields: [{ ...workflowRun, required: true }],
	list: 'unpaged',
});
