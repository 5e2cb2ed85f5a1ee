import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';
import { addSchemaIssue, rejectRepeatedNames } from '../core/form/validation';
import type { Field } from '../core/form/field';
import { createInputFormatField } from '../fields/inputFormat';
import { emptyObjectAsUndefinedSchema } from '../fields/jsonSchemas';

/**
 * Converts the text that a user entered for a variable to a number, a boolean or a string,
 * depending on the variable's type. Returns undefined if the text does not match the type.
 */
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
		const expected = kind === 'number' ? 'a number' : 'true or false';
		addSchemaIssue(context, `must be ${expected}, but is "${value}"`, ['value']);
	});

export const compositionVariableFields = [
	{
		displayName: 'Specify Variables',
		name: 'variablesFrom',
		...createInputFormatField(
			'Add the variables one by one',
			'Enter all variables as one JSON object',
		),
		description: 'How to enter the variables',
	},
	{
		displayName: 'Variables',
		name: 'variables',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Variable',
		displayOptions: { show: { variablesFrom: ['form'] } },
		description: 'Values that the composition uses when it is rendered',
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
						description: 'Name of the variable in the composition',
					},
					{
						displayName: 'Type',
						name: 'kind',
						type: 'options',
						options: [
							{ name: 'Number', value: 'number' },
							{ name: 'Text', value: 'text' },
							{ name: 'Boolean', value: 'boolean' },
						],
						default: 'text',
						description: 'Type of the value',
						schema: z.enum(['text', 'number', 'boolean']),
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'Value of the variable in this video',
						schema: z.string(),
					},
				],
			},
		],
		schema: z
			.array(variableSchema)
			.superRefine(rejectRepeatedNames)
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
		description: 'Values that the composition uses when it is rendered, as a JSON object',
		schema: emptyObjectAsUndefinedSchema,
		in: 'local',
	},
] as const satisfies readonly Field[];
