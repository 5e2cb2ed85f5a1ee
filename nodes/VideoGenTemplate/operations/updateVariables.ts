import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { operation } from '../../core/operation';
import { createInputFormat } from '../../fields/inputFormat';
import { jsonObject, jsonValue } from '../../fields/jsonSchemas';
import { template, templateElement } from '../template';

/** One variable to declare; which of the two ways was chosen is not sent. */
const variableDeclarationSchema = z
	.object({
		name: z.string(),
		replaces: z.enum(['text', 'element']).optional(),
		text: z.string().optional(),
		element_id: z.string().optional(),
	})
	.transform(({ replaces, ...variable }): IDataObject => variable);

export const updateVariables = operation({
	value: 'updateVariables',
	name: 'Update Variables',
	action: 'Update the variables of a template',
	description: 'Declare which texts and elements of a template are variables',
	request: 'PUT /v3/templates/{template_id}/variables',
	fields: [
		{ ...template, required: true },
		{
			displayName: 'Variables From',
			name: 'declarationsFrom',
			...createInputFormat(
				'Name variables and what each stands for',
				'Give the variables as the API takes them',
			),
			description: 'How the variables are given',
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
							description: 'The name of the variable',
						},
						{
							displayName: 'Stands For',
							name: 'replaces',
							type: 'options',
							options: [
								{
									name: 'A Piece of Text',
									value: 'text',
									description: 'Words of the template that each video has differently',
								},
								{
									name: 'A Whole Element',
									value: 'element',
									description: 'A picture, film, sound, avatar or voice of the template',
								},
							],
							default: 'text',
							description: 'What each video fills anew',
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
								'The exact words in the template, in one style; they become the placeholder',
						},
						{
							...templateElement,
							displayOptions: { show: { replaces: ['text'] } },
							description: 'The element that holds the text; leave empty to search all of them',
						},
						{
							...templateElement,
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
				'The variables as the API takes them, such as a list with name and text or element_id',
			schema: z.union([z.array(jsonValue), jsonObject]),
			in: 'local',
		},
		{
			displayName: 'Edit Version',
			name: 'expected_edit_version',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.edit_version }}',
			description:
				'The edit_version of the template that you looked at (operation Get). The service then refuses the change if the template has changed since. Leave empty to use the version of this moment.',
			// Its type is a guess (docs/service.md, Guesses): what looks like a number is sent as one.
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
			const read = await client.fetchData({
				line: 'GET /v3/templates/{template_id}',
				path: { template_id: values.template_id },
			});
			// Some accounts know it as `revision` (docs/service.md, Resources).
			version = read.edit_version ?? read.revision;
			if (version === undefined || version === null) {
				throw createOperationError(
					client.node,
					'The template carries no edit version',
					'The account may lack the right to author templates. Nothing was changed.',
				);
			}
		}
		// Beyond the version the body is a guess (docs/service.md, Guesses): name and text or element
		// are what its errors speak of.
		const variables = values.declarations ?? values.declarations_json;
		return { ...payload, expected_edit_version: version, variables };
	},
	explanations: {
		stale_edit_version: {
			message: 'The template has changed since it was read',
			advice:
				'Read template {template_id} again (operation Get), check its elements, and use the edit_version of that reading; or leave Edit Version empty to use the one of the moment. If the connection broke during this run, the change may be in the template already.',
		},
	},
});
