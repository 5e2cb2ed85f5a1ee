/** Values that a composition reads while it is rendered: by form, or as JSON. */
import type { GenericValue } from 'n8n-workflow';
import { z } from 'zod';
import { addComplaint } from '../core/form/complaints';
import type { Field } from '../core/form/field';
import { formOrJson } from '../fields/formOrJson';
import { filledObject } from '../fields/json';

/** What a typed text stands for; nothing where it cannot. */
function valueOf(kind: string, text: string): GenericValue {
	switch (kind) {
		case 'number':
			return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
		case 'boolean':
			return { true: true, false: false }[text.trim().toLowerCase()];
		default:
			return text;
	}
}

const variable = z
	.object({
		name: z.string().min(1),
		kind: z.enum(['text', 'number', 'boolean']).default('text'),
		value: z.string().default(''),
	})
	.superRefine(({ kind, value }, context) => {
		if (valueOf(kind, value) !== undefined) return;
		const wanted = kind === 'number' ? 'a number' : 'true or false';
		addComplaint(context, `must be ${wanted}, but is "${value}"`, ['value']);
	});

export const compositionVariables = [
	{
		displayName: 'Variables From',
		name: 'variablesFrom',
		...formOrJson('One entry for each variable', 'All variables as one object'),
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
			.array(variable)
			.transform((all) =>
				Object.fromEntries(all.map(({ name, kind, value }) => [name, valueOf(kind, value)])),
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
		schema: filledObject,
		in: 'local',
	},
] as const satisfies readonly Field[];
