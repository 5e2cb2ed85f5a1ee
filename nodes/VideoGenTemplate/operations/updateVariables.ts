import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { omitKeys } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { createInputFormatField } from '../../fields/inputFormat';
import { jsonObjectSchema, jsonValueSchema } from '../../fields/jsonSchemas';
import { templateField, templateElementField } from '../template';

/**
 * Schema for a template variable that the user declares in the form. Removes the key `replaces`,
 * which only controls which form fields are visible.
 */
const variableDeclarationSchema = z
	.object({
		name: z.string(),
		replaces: z.enum(['text', 'element']).optional(),
		text: z.string().optional(),
		element_id: z.string().optional(),
	})
	.transform((variable): IDataObject => omitKeys(variable, 'replaces'));

export const updateVariables = defineOperation({
	value: 'updateVariables',
	name: 'Update Variables',
	action: 'Update template variables',
	description: 'Define which text and elements of a template are variables',
	request: 'PUT /v3/templates/{template_id}/variables',
	returns: ['name', 'variables', 'edit_version'],
	fields: [
		{ ...templateField, required: true },
		{
			displayName: 'Specify Variables',
			name: 'declarationsFrom',
			...createInputFormatField(
				'Name each variable and choose what it replaces',
				'Enter the variables in API format',
			),
			description: 'How to enter the variables',
		},
		{
			displayName: 'Variables',
			name: 'declarations',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			default: {},
			required: true,
			placeholder: 'Add Variable',
			displayOptions: { show: { declarationsFrom: ['form'] } },
			description: 'The variables to declare',
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
							placeholder: 'e.g. first_name',
							description: 'Name of the variable',
						},
						{
							displayName: 'Replace',
							name: 'replaces',
							type: 'options',
							options: [
								{
									name: 'Text',
									value: 'text',
									description: 'Text in the template that changes from video to video',
								},
								{
									name: 'Element',
									value: 'element',
									description: 'An image, video, audio file, avatar or voice in the template',
								},
							],
							default: 'text',
							description: 'Part of the template to replace in each video',
							schema: z.enum(['text', 'element']),
						},
						{
							displayName: 'Text',
							name: 'text',
							type: 'string',
							default: '',
							required: true,
							displayOptions: { show: { replaces: ['text'] } },
							placeholder: 'e.g. Ada',
							description:
								'Exact words to replace in the template. They must all have the same text style.',
						},
						{
							...templateElementField,
							displayOptions: { show: { replaces: ['text'] } },
							description:
								'The element that contains the text. Leave empty to search all elements.',
						},
						{
							...templateElementField,
							required: true,
							displayOptions: { show: { replaces: ['element'] } },
						},
					],
				},
			],
			schema: z.array(variableDeclarationSchema).min(1),
			in: 'local',
		},
		{
			displayName: 'Variables (JSON)',
			name: 'declarations_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '[\n  { "name": "", "text": "" }\n]',
			required: true,
			displayOptions: { show: { declarationsFrom: ['json'] } },
			description:
				'The variables in API format, for example a list of objects, each with a name and either text or an element_id',
			schema: z.union([z.array(jsonValueSchema), jsonObjectSchema]),
			in: 'local',
		},
		{
			displayName: 'Edit Version',
			name: 'expected_edit_version',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.edit_version }}',
			description:
				'The edit_version returned by the Get operation. The service rejects the change if the template has changed since then. Leave empty to use the current version.',
			// The type is a guess (service.md, Guesses): digits are sent as a number.
			schema: z
				.string()
				.min(1)
				.transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)),
			in: 'local',
		},
	],
	async body({ values, payload }, client) {
		let version: GenericValue = values.expected_edit_version;
		if (version === undefined) {
			const template = await client.fetchData({
				line: 'GET /v3/templates/{template_id}',
				path: { template_id: values.template_id },
			});
			// For some accounts, the key is `revision` (service.md, Resources).
			version = template.edit_version ?? template.revision;
			if (version === undefined || version === null) {
				throw createOperationError(
					client.node,
					'The template has no edit version',
					'Your account may lack permission to author templates. The template was not changed.',
				);
			}
		}
		// The rest of the body is a guess (service.md, Guesses), based on the names that the
		// service's errors mention.
		const variables = values.declarations ?? values.declarations_json;
		return { ...payload, expected_edit_version: version, variables };
	},
	explanations: {
		stale_edit_version: {
			message: 'The template has changed since you retrieved it',
			advice:
				'Get template {template_id} again, check its elements, and use its new edit_version. Or leave Edit Version empty to use the current one. If the connection broke during this run, the template may already have the change.',
		},
	},
});
