import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { emptyObjectAsUndefinedSchema } from '../../fields/jsonSchemas';
import { workflowGraphField } from '../workflow';

const { name } = apiLimits['POST /v3/workflows'];

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create workflow',
	description: 'Create a workflow from a graph and publish its first version immediately',
	request: 'POST /v3/workflows',
	returns: ['name', 'status', 'draft_revision'],
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Product video',
			description: `Unique name of the workflow, ${formatRange(name)} characters`,
			schema: createTextSchema(name),
		},
		workflowGraphField,
	],
	options: [
		{
			displayName: 'Meta (JSON)',
			name: 'meta',
			type: 'json',
			default: '{}',
			description: 'Your own notes to store with the workflow, as a JSON object',
			schema: emptyObjectAsUndefinedSchema,
		},
	],
	uncertainOutcomeHint:
		'The workflow may have been created anyway, so the node did not retry the request. Look for it with Get Many before you run the workflow again: the service rejects a second workflow with the same name.',
});
