import { defineOperation } from '../../core/operation';
import { workflowRunField } from '../workflowRun';

export const cancelRun = defineOperation({
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel workflow run',
	description: 'Stop a run in progress',
	request: 'POST /v3/workflow-runs/{run_id}/cancel',
	fields: [{ ...workflowRunField, required: true }],
	repeatable: true,
	destructive: true,
});
