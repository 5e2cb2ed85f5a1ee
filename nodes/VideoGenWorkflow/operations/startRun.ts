import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { workflowField } from '../workflow';
import { workflowRunInputFields } from '../workflowInputs';
import { workflowRunJob } from '../../jobKinds/catalog';

/**
 * Maximum size of a run's inputs, in bytes. The service accepts run requests of up to 1 MiB
 * (service.md, Limits).
 */
const maxRunInputBytes = 1024 * 1024;

export const startRun = defineOperation({
	value: 'start',
	name: 'Start',
	action: 'Start workflow run',
	description: 'Run a published version of a workflow with your inputs',
	request: 'POST /v3/workflow-runs',
	returns: ['status', 'progress', 'outputs'],
	fields: [{ ...workflowField, required: true }, ...workflowRunInputFields],
	options: [
		{
			displayName: 'Version Number',
			name: 'version_number',
			type: 'number',
			default: 0,
			unset: 0,
			description: 'Published version to run, 1 or higher. Use 0 for the latest version.',
			schema: z.number().int().safe().min(1),
		},
	],
	check: ({ inputs, inputs_json }) => {
		const bytes = Buffer.byteLength(JSON.stringify(inputs ?? inputs_json ?? {}));
		return [
			bytes > maxRunInputBytes &&
				`"Inputs" must have at most 1,048,576 bytes (1 MiB) in total, but have ${bytes.toLocaleString('en-US')}. Use a file for long content`,
		];
	},
	body: ({ values, payload }) => ({ ...payload, inputs: values.inputs ?? values.inputs_json }),
	// The service rejects a run without an idempotency key. It keeps these keys forever, unlike the
	// keys of other requests.
	idempotent: true,
	starts: workflowRunJob,
	stoppable: true,
});
