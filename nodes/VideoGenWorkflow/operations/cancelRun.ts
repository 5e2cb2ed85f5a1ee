import { operation } from '../../core/operation';
import { run } from '../../fields/workflowRun';

export const cancelRun = operation({
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel a run',
	description: 'Stop a run that is under way',
	request: 'POST /v3/workflow-runs/{run_id}/cancel',
	fields: [{ ...run, required: true }],
	body: () => ({}),
	repeatable: true,
});
