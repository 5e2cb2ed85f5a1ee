import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { createInvalidValuesError } from '../../core/errors/nodeErrors';
import { describeMissingFiles } from '../../core/files/binaryInputs';
import type { Field } from '../../core/form/field';
import { fetchResourceOncePerRun, type Client } from '../../core/http/client';
import { isObject } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { assetField } from '../../fields/asset';
import { lookField } from '../../fields/look';
import { createCaptionHint } from '../../fields/videoOptions';
import { voiceField } from '../../fields/voice';
import { withParentId } from '../../shared/withParentId';
import { templateField } from '../template';
import { videoJob } from '../../jobKinds/catalog';
import {
	findDownloadConflicts,
	deriveOptionsFromDownload,
	templateVideoOptions,
} from '../templateVideoOptions';
import {
	isApiVariable,
	buildVariablesFromItem,
	jsonVariableValuesSchema,
	formVariableValuesSchema,
	templateVariableLoaders,
	toApiVariables,
	type VariableConversionResult,
} from '../templateVariables';

/** Fetches a template, at most once per run. */
async function fetchTemplate(client: Client, template_id: string): Promise<IDataObject> {
	const outcome = await fetchResourceOncePerRun(client, 'GET /v3/templates/{template_id}', {
		template_id,
	});
	if (!outcome.ok) throw outcome.error;
	const { reply } = outcome;
	return isObject(reply.data) ? reply.data : reply;
}

/**
 * Form fields for the kinds of IDs that a template variable can contain, such as voice IDs. The
 * Check Only option uses these fields to check whether the IDs exist.
 */
const variableReferences = [
	{ ...lookField, name: 'character_id' },
	voiceField,
	assetField,
] as const satisfies readonly Field[];

export const generate = defineOperation({
	value: 'generate',
	name: 'Generate Video',
	action: 'Generate video from template',
	description: "Fill in a template's variables and create a video from it",
	request: 'POST /v3/templates/{template_id}',
	fields: [
		{ ...templateField, required: true },
		{
			displayName: 'Specify Variables',
			name: 'variablesFrom',
			type: 'options',
			options: [
				{
					name: 'Using Fields Below',
					value: 'form',
					description: 'A field for each variable in the template',
				},
				{
					name: 'From Input Item',
					value: 'item',
					description:
						"Fields in the incoming item with the same names as the variables; all other fields are ignored. If a text variable's field is empty, the video shows no text. If the field is missing, the video shows the variable's name. A file can be a public URL, an asset ID (asset:asset_90ab), or a binary field (binary:data). For data from a Webhook node, which is nested under body, choose Using Fields Below.",
				},
				{
					name: 'Using JSON',
					value: 'json',
					description: 'For a template set by an expression, or for full control',
				},
			],
			default: 'form',
			description: 'Source of the variable values',
			schema: z.enum(['form', 'item', 'json']),
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
				"Variable values for this video. An image, video or audio file can be a public URL, an asset ID (asset:asset_90ab), or a binary field of the item (binary:data). A text variable that you leave empty appears as its placeholder, such as {{first_name}}. Other variables that you leave empty keep the template's content. An expression must not return an empty value. For rows with empty fields, set Specify Variables to From Input Item.",
			schema: formVariableValuesSchema,
			adviceIfEmpty:
				'To allow empty values, set "Specify Variables" to "From Input Item": empty text variables then show no text, and other empty variables keep the template\'s content',
			mapping: templateVariableLoaders,
			contains: variableReferences,
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
				'Object with a value for each variable: a plain value as in the form, or an object in the API format, such as {"type": "video", "asset": {"type": "asset_id", "asset_id": "asset_90ab"}, "fit": "cover", "play_style": "once", "volume": 0.5}. A text variable that you leave out appears as its placeholder. Other variables that you leave out keep their content from the template.',
			schema: jsonVariableValuesSchema,
			in: 'local',
		},
	],
	options: templateVideoOptions,
	check: findDownloadConflicts,
	listHints: ({ caption, download }) => [createCaptionHint(caption === true, download)],
	// In a normal run, `body` sends variables in the API format without fetching the template, and
	// the service reports what is wrong with them. Only Check Only checks them here.
	async reject({ template_id, variables_json, variables = variables_json ?? {} }, client) {
		if (!client.isReadOnly) return;
		const template = await fetchTemplate(client, template_id);
		const { problems } = toApiVariables(template, variables);
		if (problems.length > 0) throw createInvalidValuesError(client.node, problems);
	},
	async body({ values, payload, input }, client) {
		const entered = values.variables_json ?? values.variables ?? {};
		const isFromItem = values.variablesFrom === 'item';
		let result: VariableConversionResult = { variables: entered, problems: [] };
		if (isFromItem || !Object.values(entered).every(isApiVariable)) {
			const template = await fetchTemplate(client, values.template_id);
			result = isFromItem
				? buildVariablesFromItem(template, input.json)
				: toApiVariables(template, entered);
		}
		const { variables, problems } = result;
		problems.push(...describeMissingFiles(variables, input.binary));
		if (problems.length > 0) {
			const conclusion = 'No video was generated for this item.';
			throw createInvalidValuesError(client.node, problems, conclusion);
		}
		return { ...deriveOptionsFromDownload(values.download), ...payload, variables };
	},
	idempotent: true,
	starts: videoJob,
	reshapeItems: withParentId('template_id'),
});
