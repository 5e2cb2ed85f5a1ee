import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { addSchemaIssue, rejectRepeatedNames } from '../core/form/validation';
import { buildObjectSchema, type Field } from '../core/form/field';
import { buildFileField } from '../fields/asset';
import { createInputFormatField } from '../fields/inputFormat';
import { emptyObjectAsUndefinedSchema, jsonValueSchema } from '../fields/jsonSchemas';

const workflowInputFields = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. script',
		description: 'Name of the input in the graph',
	},
	{
		displayName: 'Type',
		name: 'kind',
		type: 'options',
		options: [
			{ name: 'File', value: 'file', description: 'A video, image or recording' },
			{ name: 'JSON', value: 'json', description: 'Data with any structure' },
			{ name: 'Text', value: 'text', description: 'Text or an avatar ID' },
		],
		default: 'text',
		description: 'Type of input',
		schema: z.enum(['text', 'file', 'json']),
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		displayOptions: { show: { kind: ['text'] } },
		description: 'The text or avatar ID',
		schema: z.string(),
	},
	{
		...buildFileField('talk.mp4'),
		required: false,
		displayOptions: { show: { kind: ['file'] } },
	},
	{
		displayName: 'JSON',
		name: 'json',
		type: 'json',
		default: '{}',
		displayOptions: { show: { kind: ['json'] } },
		description: 'The input data',
		schema: jsonValueSchema,
	},
] as const satisfies readonly Field[];

const workflowInputSchema = buildObjectSchema(workflowInputFields)
	.required({ name: true, kind: true })
	.superRefine((input, context) => {
		if (input[input.kind] !== undefined) return;
		addSchemaIssue(context, 'has no value: fill it in, or remove the entry');
	});

/**
 * Schema that validates the workflow inputs from the form and converts them to an object keyed by
 * input name, or to undefined if there are no inputs.
 */
const workflowInputsSchema = z
	.array(workflowInputSchema)
	.superRefine(rejectRepeatedNames)
	.transform((inputs): IDataObject | undefined =>
		inputs.length > 0
			? Object.fromEntries(inputs.map((input) => [input.name, input[input.kind]]))
			: undefined,
	);

/**
 * Form fields for a workflow run's inputs. Users add the inputs one by one or enter them as JSON.
 */
export const workflowRunInputFields = [
	{
		displayName: 'Specify Inputs',
		name: 'inputsFrom',
		...createInputFormatField(
			'Add inputs one by one, including files',
			'Enter all inputs as one JSON object',
		),
		description: 'How to enter the workflow inputs',
	},
	{
		displayName: 'Inputs',
		name: 'inputs',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Input',
		displayOptions: { show: { inputsFrom: ['form'] } },
		description: "Values for the workflow's inputs. Use the input names from the graph.",
		options: [
			{
				displayName: 'Input',
				name: 'input',
				values: workflowInputFields,
			},
		],
		schema: workflowInputsSchema,
		in: 'local',
	},
	{
		displayName: 'Inputs (JSON)',
		name: 'inputs_json',
		type: 'json',
		typeOptions: { rows: 4 },
		default: '{}',
		displayOptions: { show: { inputsFrom: ['json'] } },
		description:
			'All inputs as one object, keyed by name. Specify a file as an asset ID, or as an object with its type and URL in API format.',
		schema: emptyObjectAsUndefinedSchema,
		in: 'local',
	},
] as const satisfies readonly Field[];
