import { operation } from '../../core/operation';
import { run } from '../../fields/workflowRun';

export const getRun = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a run',
	description: 'Read status, progress and outputs of a run',
	request: 'GET /v3/workflow-runs/{run_id}',
	fields: [{ ...run, required: true }],
});
