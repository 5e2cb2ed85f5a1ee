/**
 * Loads a template's variables as form fields, and converts the values that users enter to the API
 * format (service.md, Resources). The variables' types are known only from the template, so
 * the node fetches the template again to convert the values.
 */
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { AssetFieldValue } from '../core/files/binaryInputs';
import type { ListSearchMethod } from '../core/form/field';
import { getOwnProperty, isObject, readObject, readObjects, readText, toText } from '../core/json';
import {
	addSchemaIssue,
	countCharacters,
	createNumberSchema,
	createTextSchema,
	formatNumber,
	formatValue,
} from '../core/form/validation';
import { assetField as ownAsset, fileFieldSchema } from '../fields/asset';
import { shortenText } from '../fields/dependentLists';
import { jsonObjectSchema, createOpenObjectSchema } from '../fields/jsonSchemas';
import { lookField } from '../fields/look';
import { fetchSelectedTemplate } from './template';
import { voiceField } from '../fields/voice';

/** Maximum length of a text variable, in characters. */
const { max: maxVariableLength } = apiLimits.TemplateVariable.content;
const variableValues = apiValues.TemplateVariable;
const variableVolume = apiLimits.TemplateVariable.volume;

const fitModeSchema = z.enum(variableValues.fit).nullish();
const assetValueSchema = z.union(
	[fileFieldSchema, createOpenObjectSchema({ type: z.literal('base64') })],
	{
		errorMap: () => ({
			message:
				'must be a file such as { "type": "url", "url": "https://…" }, { "type": "asset_id", "asset_id": "…" } or { "type": "binary", "field": "data" }',
		}),
	},
);

/**
 * Schemas for variables in the API format, keyed by variable type. Variables of other types are not
 * validated, because the service may support more types.
 */
const variableSchemas: Record<string, z.ZodTypeAny> = {
	text: z.object({ content: createTextSchema({ min: 0, max: maxVariableLength }) }),
	image: z.object({ asset: assetValueSchema, fit: fitModeSchema }),
	video: z.object({
		asset: assetValueSchema,
		fit: fitModeSchema,
		play_style: z.enum(variableValues.play_style).nullish(),
		volume: createNumberSchema(variableVolume).nullish(),
	}),
	audio: z.object({ asset: assetValueSchema }),
	character: z.object({
		character_id: z.string().min(1),
		character_type: z.enum(variableValues.character_type).nullish(),
	}),
	voice: z.object({ voice_id: z.string().min(1) }),
};

/**
 * Whether a value is a variable in the API format, such as `{ type: 'text', … }`, rather than a
 * plain value.
 */
export const isApiVariable = (value: unknown): value is IDataObject & { type: string } =>
	isObject(value) && typeof value.type === 'string';

/**
 * Checks the length of a text. If the text is too long, returns an error message that begins with a
 * verb, because the caller prepends the variable's name. Otherwise, returns undefined.
 */
function findLengthProblem(value: unknown): string | undefined {
	const length = countCharacters(value);
	if (length <= maxVariableLength) return undefined;
	return `must have at most ${formatNumber(maxVariableLength)} characters, but has ${formatNumber(length)}`;
}

function checkVariableLengths(values: Record<string, unknown>, context: z.RefinementCtx) {
	for (const [name, value] of Object.entries(values)) {
		const problem = findLengthProblem(value);
		if (problem !== undefined) addSchemaIssue(context, problem, [name]);
	}
}

/**
 * Schema for variable values entered in the form. Checks the length of text values. An n8n
 * expression can also return an object in the API's own format, which only the service validates.
 */
export const formVariableValuesSchema = jsonObjectSchema.superRefine(checkVariableLengths);

/**
 * Schema for variable values that users enter as JSON, keyed by variable name. Each value is either
 * a plain value or an object in the API format.
 */
export const jsonVariableValuesSchema = jsonObjectSchema.superRefine((values, context) => {
	checkVariableLengths(values, context);
	for (const [name, value] of Object.entries(values)) {
		const result = isApiVariable(value)
			? getOwnProperty(variableSchemas, value.type)?.safeParse(value)
			: undefined;
		for (const issue of result?.error?.issues ?? []) {
			context.addIssue({ ...issue, path: [name, ...issue.path] });
		}
	}
});

/** Returns the variables that a template declares, keyed by name. */
function readDeclaredVariables(template: IDataObject): Map<string, IDataObject> {
	const result = new Map<string, IDataObject>();
	for (const [name, variable] of Object.entries(readObject(template.variables))) {
		if (isApiVariable(variable)) result.set(name, variable);
	}
	for (const { variables } of readObjects(template.scenes)) {
		for (const { name, variable_type: type } of readObjects(variables)) {
			if (!result.has(toText(name))) result.set(toText(name), { type });
		}
	}
	return result;
}

const fileVariableTypes = ['image', 'video', 'audio'];

/**
 * Parses a file reference that the user entered: a URL, `asset:ID` or `binary:field`. Returns
 * undefined if the text is none of these.
 */
function parseFileReference(text: string): AssetFieldValue | undefined {
	const [prefix = '', ...parts] = text.split(':');
	const kind = prefix.trim().toLowerCase();
	const rest = parts.join(':').trim();
	if (kind === 'asset' && rest !== '') return { type: 'asset_id', asset_id: rest };
	if (kind === 'binary' && rest !== '') return { type: 'binary', field: rest };
	return z.string().url().safeParse(text).success && /^https?:/i.test(text)
		? { type: 'url', url: text }
		: undefined;
}

/**
 * Converts a variable's value to the API format. If the value is invalid, returns an error message
 * instead. The message begins with a verb (such as `must be a plain value`), because the caller
 * prepends the variable's name.
 */
function toApiVariable(kind: string, value: unknown): IDataObject | string {
	if (isApiVariable(value)) {
		if (value.type === kind) return value;
		return `is a variable of type ${kind}, but the value has type ${value.type}`;
	}
	if (!['string', 'number', 'boolean'].includes(typeof value)) {
		return `must be a plain value, but is ${formatValue(value)}`;
	}
	const lengthProblem = findLengthProblem(value);
	if (lengthProblem !== undefined) return lengthProblem;
	if (kind === 'text') return { type: kind, content: String(value) };
	const text = String(value).trim();
	if (kind === 'character') return { type: kind, character_id: text };
	if (kind === 'voice') return { type: kind, voice_id: text };
	if (fileVariableTypes.includes(kind)) {
		const file = parseFileReference(text);
		if (file) return { type: kind, asset: file };
		return `must be a URL (https://…), asset:ID for an asset of the service, or binary:field for a binary field of the item, but is ${formatValue(text)}`;
	}
	return `has a type that this form does not support (${kind}): use JSON with an object that contains the type`;
}

/**
 * Variables converted to the API format, and error messages for those that could not be converted.
 */
export interface VariableConversionResult {
	/** Variables in the API format, by name. */
	variables: IDataObject;
	/** Error messages for the user, one sentence each. */
	problems: string[];
}

/**
 * Converts the values of a template's variables to the API format. The template specifies each
 * variable's type.
 */
export function toApiVariables(
	template: IDataObject,
	values: Record<string, unknown>,
): VariableConversionResult {
	const declared = readDeclaredVariables(template);
	const variables: IDataObject = {};
	const problems: string[] = [];
	for (const [name, value] of Object.entries(values)) {
		const kind = declared.get(name)?.type;
		if (kind === undefined) {
			problems.push(
				`The template has no variable "${name}" (its variables: ${[...declared.keys()].join(', ') || 'none'})`,
			);
			continue;
		}
		const result = toApiVariable(toText(kind), value);
		if (typeof result === 'string') problems.push(`"Variables → ${name}" ${result}`);
		else variables[name] = result;
	}
	return { variables, problems };
}

/**
 * Reads the value of each template variable from the input item's field of the same name, and
 * converts the values to the API format. An empty field of a text variable becomes an empty text,
 * because the service shows the name of an omitted variable in the video. Other empty fields are
 * omitted, so that these variables keep their default values.
 */
export function buildVariablesFromItem(
	template: IDataObject,
	item: IDataObject,
): VariableConversionResult {
	const declared = readDeclaredVariables(template);
	const names = [...declared.keys()];
	const values = names
		.filter((name) => Object.hasOwn(item, name))
		.map((name) => [name, item[name] ?? ''] as const)
		.filter(([name, value]) => value !== '' || declared.get(name)?.type === 'text');
	const result = toApiVariables(template, Object.fromEntries(values));
	// An empty row of a sheet must not become a paid video without content.
	if (values.every(([, value]) => value === '') && names.length > 0) {
		result.problems.push(
			`The item has no field that matches a template variable (variables: ${names.join(', ')})`,
		);
	}
	return result;
}

/**
 * Maximum number of entries in a variable's dropdown. The number is limited because n8n stores all
 * entries in the workflow.
 */
const maxVariableOptions = 100;
/**
 * Maximum number of assets to fetch for the dropdowns of file variables. This number is higher than
 * the maximum number of entries in a dropdown, because each dropdown shows only the fetched assets
 * of one type, such as images.
 */
const maxAssetsSearched = 300;

/**
 * Fetches the first entries of a dropdown list. Returns an empty list if a request fails, so that
 * users can still type a value.
 */
async function fetchFirstEntries(
	form: ILoadOptionsFunctions,
	search: ListSearchMethod,
	max = maxVariableOptions,
): Promise<INodeListSearchItems[]> {
	const entries: INodeListSearchItems[] = [];
	let token: string | undefined;
	try {
		do {
			const page = await search.call(form, undefined, token);
			entries.push(...page.results);
			token = readText(page.paginationToken);
		} while (token !== undefined && entries.length < max);
	} catch {
		return [];
	}
	return entries.slice(0, max);
}

const toVariableOption = ({ name, value }: INodeListSearchItems): INodePropertyOptions => ({
	name,
	value: String(value),
});

const itemFileOption = {
	name: 'The File of the Item',
	value: 'binary:data',
	description:
		'The file in the binary field “data”. An expression can also specify another field (binary:photo), an asset ID (asset:asset_90ab), or a public URL.',
};

/**
 * Loads the dropdown options for template variables, keyed by variable type. Variable types without
 * any options are omitted.
 */
async function loadVariableOptions(form: ILoadOptionsFunctions, kinds: ReadonlySet<string>) {
	const needsFiles = fileVariableTypes.some((kind) => kinds.has(kind));
	const [voices, looks, assets] = await Promise.all([
		kinds.has('voice') ? fetchFirstEntries(form, voiceField.search.searchVoices) : [],
		kinds.has('character') ? fetchFirstEntries(form, lookField.search.searchLooks) : [],
		needsFiles ? fetchFirstEntries(form, ownAsset.search.searchAssets, maxAssetsSearched) : [],
	]);
	const optionsByKind = new Map<string, INodePropertyOptions[]>();
	if (voices.length > 0) optionsByKind.set('voice', voices.map(toVariableOption));
	if (looks.length > 0) optionsByKind.set('character', looks.map(toVariableOption));
	for (const kind of fileVariableTypes) {
		// The `description` of an entry in the asset list is the type of the file.
		const files = assets
			.filter(({ description }) => description === kind)
			.slice(0, maxVariableOptions);
		if (files.length === 0) continue;
		const options = files.map(({ name, value }) => ({ name, value: `asset:${value}` }));
		optionsByKind.set(kind, [itemFileOption, ...options]);
	}
	return optionsByKind;
}

const variableLabels: Record<string, string> = {
	text: 'text',
	image: 'image',
	video: 'video',
	audio: 'audio',
	character: 'avatar look',
	voice: 'voice',
};

/**
 * Labels for the form fields of template variables that have no dropdown, keyed by variable type.
 * Users type a URL or an ID into these fields.
 */
const typedVariableLabels: Record<string, string> = {
	image: 'image URL',
	video: 'video URL',
	audio: 'audio URL',
	character: 'avatar look ID',
	voice: 'voice ID',
};

/**
 * Returns an example for the label of a text variable: the beginning of the template's own text.
 * The field is not prefilled with this text, because the text could end up in a paid video by
 * mistake.
 */
function describeExampleText({ type, content }: IDataObject): string {
	const text = type === 'text' ? shortenText(content) : '';
	return text === '' || text.includes('{{') ? '' : `e.g. “${text}”`;
}

/**
 * Creates the form field for a template variable: a dropdown if there are options, otherwise a text
 * field.
 */
function toVariableField(
	name: string,
	variable: IDataObject,
	options: INodePropertyOptions[] | undefined,
	selected: unknown,
): ResourceMapperField {
	const kind = toText(variable.type);
	const label =
		getOwnProperty(
			options ? variableLabels : { ...variableLabels, ...typedVariableLabels },
			kind,
		) ?? kind;
	// The editor shows about 25 characters.
	const displayName = `${name} (${describeExampleText(variable) || label})`;
	const field: ResourceMapperField = {
		id: name,
		displayName,
		required: false,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: 'string',
	};
	if (!options) return field;
	// The selected value may no longer be among the first entries of its list.
	const isMissing =
		typeof selected === 'string' &&
		selected !== '' &&
		!selected.startsWith('=') &&
		!options.some(({ value }) => value === selected);
	return {
		...field,
		type: 'options',
		options: isMissing ? [{ name: selected, value: selected }, ...options] : options,
	};
}

/** Loads the variables of the selected template as form fields. */
async function loadTemplateVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const template = await fetchSelectedTemplate(this);
	if (!template) {
		return {
			fields: [],
			emptyFieldsNotice:
				'Choose a template to see its variables here. If an expression sets the template, set Specify Variables to From Input Item or Using JSON.',
		};
	}
	const declared = readDeclaredVariables(template);
	const kinds = new Set([...declared.values()].map(({ type }) => toText(type)));
	const optionsByKind = await loadVariableOptions(this, kinds);
	const selected = readObject(this.getCurrentNodeParameter('variables.value'));
	return {
		fields: [...declared].map(([name, variable]) =>
			toVariableField(name, variable, optionsByKind.get(toText(variable.type)), selected[name]),
		),
		emptyFieldsNotice:
			'This template has no variables yet. Add some with the Update Variables operation.',
	};
}

/**
 * Methods that n8n calls to load the form fields for a template's variables. The form field refers
 * to a method by its key, under `resourceMapperMethod`.
 */
export const templateVariableLoaders = { templateVariables: loadTemplateVariables };
