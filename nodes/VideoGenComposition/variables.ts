/** Values that a composition reads while it is rendered: by form, or as JSON. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';
import { addProblem } from '../core/form/validation';
import type { Field } from '../core/form/field';
import { createInputFormat } from '../fields/inputFormat';
import { nonEmptyObject } from '../fields/jsonSchemas';

/** What a typed text stands for; nothing where it cannot. */
function parseVariable(kind: string, text: string): GenericValue {
	switch (kind) {
		case 'number':
			return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
		case 'boolean':
			return { true: true, false: false }[text.trim().toLowerCase()];
		default:
			return text;
	}
}

const variableSchema = z
	.object({
		name: z.string().min(1),
		kind: z.enum(['text', 'number', 'boolean']).default('text'),
		value: z.string().default(''),
	})
	.superRefine(({ kind, value }, context) => {
		if (parseVariable(kind, value) !== undefined) return;
		const wanted = kind === 'number' ? 'a number' : 'true or false';
		addProblem(context, `must be ${wanted}, but is "${value}"`, ['value']);
	});

export const compositionVariables = [
	{
		displayName: 'Variables From',
		name: 'variablesFrom',
		...createInputFormat('One entry for each variable', 'All variables as one object'),
		description: 'How the values that the composition reads are given',
	},
	{
		displayName: 'Variables',
		name: 'variables',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Variable',
		displayOptions: { show: { variablesFrom: ['form'] } },
		description: 'Values that the composition reads while it is rendered',
		options: [
			{
				displayName: 'Variable',
				name: 'variable',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						required: true,
						placeholder: 'e.g. headline',
						description: 'The name by which the composition knows it',
					},
					{
						displayName: 'Kind',
						name: 'kind',
						type: 'options',
						options: [
							{ name: 'Number', value: 'number' },
							{ name: 'Text', value: 'text' },
							{ name: 'True or False', value: 'boolean' },
						],
						default: 'text',
						description: 'What the value is',
						schema: z.enum(['text', 'number', 'boolean']),
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'The value in this video',
						schema: z.string(),
					},
				],
			},
		],
		schema: z
			.array(variableSchema)
			.transform((all) =>
				Object.fromEntries(all.map(({ name, kind, value }) => [name, parseVariable(kind, value)])),
			),
		in: 'local',
	},
	{
		displayName: 'Variables (JSON)',
		name: 'variables_json',
		type: 'json',
		typeOptions: { rows: 4 },
		default: '{}',
		displayOptions: { show: { variablesFrom: ['json'] } },
		description: 'Values that the composition reads while it is rendered, as a JSON object',
		schema: nonEmptyObject,
		in: 'local',
	},
] as const satisfies readonly Field[];
