/** Inputs of a workflow run: texts, JSON, and files that the core uploads. */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { addProblem } from '../core/form/validation';
import { buildObjectSchema, type Field } from '../core/form/field';
import { buildFileField } from '../fields/asset';
import { createInputFormat } from '../fields/inputFormat';
import { nonEmptyObject, jsonValue } from '../fields/jsonSchemas';

const workflowInputFields = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. script',
		description: 'The name of the input in the graph',
	},
	{
		displayName: 'Kind',
		name: 'kind',
		type: 'options',
		options: [
			{ name: 'File', value: 'file', description: 'A video, picture or recording' },
			{ name: 'JSON', value: 'json', description: 'Data of any shape' },
			{ name: 'Text', value: 'text', description: 'A text, or the ID of an avatar' },
		],
		default: 'text',
		description: 'What the input is',
		schema: z.enum(['text', 'file', 'json']),
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		displayOptions: { show: { kind: ['text'] } },
		description: 'The text, or the ID of an avatar',
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
		description: 'The data',
		schema: jsonValue,
	},
] as const satisfies readonly Field[];

const workflowInputSchema = buildObjectSchema(workflowInputFields)
	.required({ name: true, kind: true })
	.superRefine((one, context) => {
		if (one[one.kind] !== undefined) return;
		addProblem(context, 'has no value: fill it in, or remove the entry');
	});

/** The entries of the form as the API takes them: an object by name; an empty one is not sent. */
const workflowInputsSchema = z
	.array(workflowInputSchema)
	.superRefine((all, context) => {
		const names = all.map(({ name }) => name);
		const twice = names.find((name, i) => names.indexOf(name) !== i);
		if (twice !== undefined) addProblem(context, `has "${twice}" twice`);
	})
	.transform((all): IDataObject | undefined =>
		all.length > 0 ? Object.fromEntries(all.map((one) => [one.name, one[one.kind]])) : undefined,
	);

/** Inputs by form or as JSON. */
export const workflowInputs = [
	{
		displayName: 'Inputs From',
		name: 'inputsFrom',
		...createInputFormat('One entry for each input; files too', 'All inputs as one object'),
		description: 'How the inputs are given',
	},
	{
		displayName: 'Inputs',
		name: 'inputs',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		placeholder: 'Add Input',
		displayOptions: { show: { inputsFrom: ['form'] } },
		description: 'What the workflow works on, by the names that its graph gives the inputs',
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
			'The inputs by name, as one object. A file is an asset ID, or an object with its type and address as the API takes it.',
		schema: nonEmptyObject,
		in: 'local',
	},
] as const satisfies readonly Field[];
