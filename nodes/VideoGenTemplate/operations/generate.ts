import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { findBinaryInputs } from '../../core/files/binaryInputs';
import type { Client } from '../../core/http/client';
import { operation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { template } from '../template';
import { videoFiles } from '../../jobs/files';
import { videoJob } from '../../jobs/catalog';
import { templateVideoOptions } from '../templateVideoOptions';
import {
	isApiVariable,
	buildVariablesFromItem,
	jsonVariablesSchema,
	formVariablesSchema,
	templateVariableMethods,
	toApiVariables,
} from '../templateVariables';

/** The template, read once for all items of the run that fill it. */
const readTemplate = async (client: Client, id: string): Promise<IDataObject> =>
	await client.shareInRun(
		`template ${id}`,
		async () =>
			await client.fetchData({
				line: 'GET /v3/templates/{template_id}',
				path: { template_id: id },
			}),
	);

export const generate = operation({
	value: 'generate',
	name: 'Generate Video',
	action: 'Generate a video from a template',
	description: 'Fill the variables of a template and make a video of it',
	request: 'POST /v3/templates/{template_id}',
	fields: [
		{ ...template, required: true },
		{
			displayName: 'Variables From',
			name: 'variablesFrom',
			type: 'options',
			options: [
				{ name: 'Form', value: 'form', description: 'A field for each variable of the template' },
				{
					name: 'Item',
					value: 'item',
					description:
						'Fields of the incoming item that are named like the variables. What a Webhook node received lies deeper, in body: choose Form for it.',
				},
				{
					name: 'JSON',
					value: 'json',
					description: 'For a template that an expression chooses, and for all details',
				},
			],
			default: 'form',
			description: 'How the values of the variables are given',
			schema: z.enum(['form', 'item', 'json']),
			in: 'local',
		},
		{
			displayName:
				'Choose pictures, films and sounds from the list of your files. In an expression, and where there is no list, give a web address (https://example.com/photo.png), a file of the item by its binary field (binary:data), or one of your files (asset:asset_90ab).',
			name: 'variablesNotice',
			type: 'notice',
			default: '',
			displayOptions: { show: { variablesFrom: ['form', 'item'] } },
			in: 'local',
		},
		{
			displayName: 'Variables',
			name: 'variables',
			type: 'resourceMapper',
			noDataExpression: true,
			default: { mappingMode: 'defineBelow', value: null },
			typeOptions: {
				loadOptionsDependsOn: ['template_id.value'],
				resourceMapper: {
					resourceMapperMethod: 'templateVariables',
					mode: 'map',
					valuesLabel: 'Values of the Variables',
					fieldWords: { singular: 'variable', plural: 'variables' },
					addAllFields: true,
					multiKeyMatch: false,
					supportAutoMap: false,
					hideNoDataError: true,
					refreshStaleSchemaOnOpen: true,
				},
			},
			displayOptions: { show: { variablesFrom: ['form'] } },
			description:
				'What each variable is in this video. A text variable without a value stays in the video as its placeholder, such as {{first_name}}; other variables keep what the template has.',
			schema: formVariablesSchema,
			mapping: templateVariableMethods,
			in: 'local',
		},
		{
			displayName: 'Variables (JSON)',
			name: 'variables_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '{\n  "first_name": "Ada"\n}',
			required: true,
			displayOptions: { show: { variablesFrom: ['json'] } },
			description:
				'An object with a value for each variable: a plain value as in the form, or an object as the API takes it, such as {"type": "video", "asset": {"type": "asset_id", "asset_id": "asset_90ab"}, "fit": "cover", "play_style": "once", "volume": 0.5}. A text variable that is left out stays in the video as its placeholder; other variables keep what the template has.',
			schema: jsonVariablesSchema,
			in: 'local',
		},
	],
	options: templateVideoOptions,
	async body({ values, payload, input }, client) {
		const template = async () => await readTemplate(client, values.template_id);
		const given = values.variables_json ?? values.variables ?? {};
		const { variables, wrong } =
			values.variablesFrom === 'item'
				? buildVariablesFromItem(await template(), input.json)
				: Object.values(given).every(isApiVariable)
					? { variables: given, wrong: [] as string[] }
					: toApiVariables(await template(), given);
		for (const { field } of findBinaryInputs(variables)) {
			if (input.binary?.[field] === undefined) {
				wrong.push(`The item has no file in a binary field "${field}"`);
			}
		}
		if (wrong.length > 0) {
			throw createOperationError(
				client.node,
				wrong[0] ?? '',
				[...wrong.slice(1), 'Nothing was generated for this item.'].join('\n'),
				{ code: 'invalid_value', complaints: wrong },
			);
		}
		return { ...payload, variables };
	},
	idempotent: true,
	starts: videoJob,
	files: videoFiles,
	reshapeItems: withParentId('template_id'),
});
