import { apiLimits, otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createNumberSchema, formatNumber } from '../../core/form/validation';
import { workflowField } from '../workflow';
import { workflowRunInputFields } from '../workflowInputs';
import { workflowRunJob } from '../../jobKinds/catalog';

/**
 * Maximum size in bytes of a workflow run's inputs. This is the service's limit for the whole
 * request.
 */
const maxRunInputBytes = otherLimits.workflowRunBytes;
const { version_number: version } = apiLimits['POST /v3/workflow-runs'];

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
			description: `Published version to run, ${version.min} or higher. Use 0 for the latest version.`,
			schema: createNumberSchema(version).int().safe(),
		},
	],
	check: ({ inputs, inputs_json }) => {
		const bytes = Buffer.byteLength(JSON.stringify(inputs ?? inputs_json ?? {}));
		return [
			bytes > maxRunInputBytes &&
				`"Inputs" must have at most ${formatNumber(maxRunInputBytes)} bytes (1 MiB) in total, but have ${formatNumber(bytes)}. Use a file for long content`,
		];
	},
	body: ({ values, payload }) => ({ ...payload, inputs: values.inputs ?? values.inputs_json }),
	// The service rejects a run without an idempotency key. It keeps these keys forever, unlike the
	// keys of other requests.
	idempotent: true,
	starts: workflowRunJob,
	stoppable: true,
});
