import { operation } from '../../core/operation';
import { run } from '../../fields/workflowRun';
import { groups } from '../groups';

export const getRun = operation({
	value: 'getRun',
	group: groups.run,
	name: 'Get',
	action: 'Get a run',
	description: 'Read status, progress and outputs of a run',
	request: 'GET /v3/workflow-runs/{run_id}',
	fields: [{ ...run, required: true }],
});
