import { z } from 'zod';
import { operation } from '../../core/operation';
import { nonEmptyObject } from '../../fields/jsonSchemas';
import { workflowGraph } from '../workflow';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Create a workflow',
	description: 'Make a workflow of a graph; its first version is published at once',
	request: 'POST /v3/workflows',
	fields: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Product video',
			description: 'A name that no other workflow has, 1 to 256 characters',
			schema: z.string().min(1).max(256),
		},
		workflowGraph,
	],
	options: [
		{
			displayName: 'Meta (JSON)',
			name: 'meta',
			type: 'json',
			default: '{}',
			description: 'Notes of your own that are kept with the workflow, as an object',
			schema: nonEmptyObject,
		},
	],
	uncertainOutcomeHint:
		'The workflow may have been created all the same, so the request was not repeated. Look with the operation Get Many before you run again; a second workflow of the same name is refused.',
});
