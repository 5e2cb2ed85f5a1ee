/**
 * The variables of a template: as fields of the form, and as what the API takes (docs/service.md,
 * Resources).
 *
 * Only the template knows of which kind a variable is, so it is read again when a video is made.
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
import { addProblem, formatNumber, countCharacters } from '../core/form/validation';
import type { AssetInput } from '../core/files/binaryInputs';
import type { ListSearch } from '../core/form/field';
import { isObject, readObject, readObjects, readText } from '../core/json';
import { asset as ownAsset, assetInput } from '../fields/asset';
import { shortenText } from '../fields/dependentLists';
import { jsonObject, createOpenObject } from '../fields/jsonSchemas';
import { look } from '../fields/look';
import { fetchSelectedTemplate } from './template';
import { voice } from '../fields/voice';

/** Longest text of a variable, in characters. */
const maxVariableLength = 10_000;

const fitModeSchema = z.enum(['contain', 'cover', 'crop', 'none']).nullish();
const assetValueSchema = z.union([assetInput, createOpenObject({ type: z.literal('base64') })], {
	errorMap: () => ({
		message:
			'must be a file such as { "type": "url", "url": "https://…" }, { "type": "asset_id", "asset_id": "…" } or { "type": "binary", "field": "data" }',
	}),
});

/** Values by kind. What is not named here may be sent too: the service may know more. */
const variableSchemas: Record<string, z.ZodTypeAny> = {
	text: z.object({ content: z.string().max(maxVariableLength) }),
	image: z.object({ asset: assetValueSchema, fit: fitModeSchema }),
	video: z.object({
		asset: assetValueSchema,
		fit: fitModeSchema,
		play_style: z.enum(['loop', 'freeze', 'once', 'fit_to_scene', 'full_video']).nullish(),
		volume: z.number().min(0).max(1).nullish(),
	}),
	audio: z.object({ asset: assetValueSchema }),
	character: z.object({
		character_id: z.string().min(1),
		character_type: z.enum(['avatar', 'talking_photo']).nullish(),
	}),
	voice: z.object({ voice_id: z.string().min(1) }),
};

/** Whether a value is one of the API already, instead of a plain one. */
export const isApiVariable = (value: unknown): value is IDataObject & { type: string } =>
	isObject(value) && typeof value.type === 'string';

function checkVariableLengths(values: Record<string, unknown>, context: z.RefinementCtx) {
	for (const [name, value] of Object.entries(values)) {
		const length = countCharacters(value);
		if (length <= maxVariableLength) continue;
		const wrong = `must have at most ${formatNumber(maxVariableLength)} characters, but has ${formatNumber(length)}`;
		addProblem(context, wrong, [name]);
	}
}

/** What the form holds. Objects in it, made by expressions, are left to the service. */
export const formVariablesSchema = jsonObject.superRefine(checkVariableLengths);

/** Values by the names of the variables: plain ones, or objects as the API takes them. */
export const jsonVariablesSchema = jsonObject.superRefine((values, context) => {
	checkVariableLengths(values, context);
	for (const [name, value] of Object.entries(values)) {
		const result = isApiVariable(value) ? variableSchemas[value.type]?.safeParse(value) : undefined;
		for (const issue of result?.error?.issues ?? []) {
			context.addIssue({ ...issue, path: [name, ...issue.path] });
		}
	}
});

/** What the template declares, by the names of its variables. */
function readDeclaredVariables(template: IDataObject): Map<string, IDataObject> {
	const result = new Map<string, IDataObject>();
	for (const [name, variable] of Object.entries(readObject(template.variables))) {
		if (isApiVariable(variable)) result.set(name, variable);
	}
	for (const { variables } of readObjects(template.scenes)) {
		for (const { name, variable_type: type } of readObjects(variables)) {
			if (!result.has(String(name))) result.set(String(name), { type });
		}
	}
	return result;
}

const fileVariableTypes = ['image', 'video', 'audio'];

/** The file that a text stands for: a web address, an asset, or a binary field of the item. */
function parseFileReference(text: string): AssetInput | undefined {
	const [, prefix, rest = ''] = /^(asset|binary)\s*:\s*(.+)$/i.exec(text) ?? [];
	if (prefix?.toLowerCase() === 'asset') return { type: 'asset_id', asset_id: rest };
	if (prefix) return { type: 'binary', field: rest };
	return z.string().url().safeParse(text).success && /^https?:/i.test(text)
		? { type: 'url', url: text }
		: undefined;
}

/** The API's value for a plain one, or what is wrong with it: the rest of a sentence. */
function toApiVariable(kind: string, given: unknown): IDataObject | string {
	if (isApiVariable(given)) {
		if (given.type === kind) return given;
		return `is a variable of the kind ${kind}, but the value is of the kind ${given.type}`;
	}
	if (!['string', 'number', 'boolean'].includes(typeof given)) {
		return `must be a plain value, but is ${JSON.stringify(given)}`;
	}
	if (kind === 'text') return { type: kind, content: String(given) };
	const text = String(given).trim();
	if (kind === 'character') return { type: kind, character_id: text };
	if (kind === 'voice') return { type: kind, voice_id: text };
	if (fileVariableTypes.includes(kind)) {
		const file = parseFileReference(text);
		if (file) return { type: kind, asset: file };
		return `must be a web address (https://…), asset:ID of one of your files, or binary:field for a file of the item, but is "${text}"`;
	}
	return `is of a kind that this form does not know (${kind}): give it as JSON, as an object with its type`;
}

/** The API's variables, and what is wrong with them: sentences. */
export function toApiVariables(
	template: IDataObject,
	given: Record<string, unknown>,
): { variables: IDataObject; wrong: string[] } {
	const known = readDeclaredVariables(template);
	const variables: IDataObject = {};
	const wrong: string[] = [];
	for (const [name, value] of Object.entries(given)) {
		const kind = known.get(name)?.type;
		if (kind === undefined) {
			wrong.push(
				`The template has no variable "${name}": it has ${[...known.keys()].join(', ') || 'none'}`,
			);
			continue;
		}
		const result = toApiVariable(String(kind), value);
		if (typeof result === 'string') wrong.push(`"Variables → ${name}" ${result}`);
		else variables[name] = result;
	}
	return { variables, wrong };
}

/** The same, from the fields of an item that are named like variables. */
export function buildVariablesFromItem(template: IDataObject, item: IDataObject) {
	const names = [...readDeclaredVariables(template).keys()];
	const given = names
		.map((name) => [name, item[name]] as const)
		.filter(([, value]) => value !== undefined && value !== null && value !== '');
	const result = toApiVariables(template, Object.fromEntries(given));
	if (given.length === 0 && names.length > 0) {
		result.wrong.push(
			`The item has no field that is named like a variable of the template: ${names.join(', ')}`,
		);
	}
	return result;
}

/** The largest number of entries in a dropdown: n8n keeps them in the workflow. */
const maxVariableOptions = 100;
/** Entries of a list that are looked through for some of one kind. */
const maxAssetsSearched = 300;

/** The beginning of a list, the account's own entries first; nothing where it cannot be read. */
async function readFirstEntries(
	form: ILoadOptionsFunctions,
	search: ListSearch,
	most = maxVariableOptions,
): Promise<INodeListSearchItems[]> {
	const found: INodeListSearchItems[] = [];
	let token: string | undefined;
	try {
		do {
			const page = await search.call(form, undefined, token);
			found.push(...page.results);
			token = readText(page.paginationToken);
		} while (token !== undefined && found.length < most);
	} catch {
		return [];
	}
	return found.slice(0, most);
}

const toVariableOption = ({ name, value }: INodeListSearchItems): INodePropertyOptions => ({
	name,
	value: String(value),
});

const itemFileOption = {
	name: 'The File of the Item',
	value: 'binary:data',
	description: 'What the item has in its binary field “data”',
};

/** What can be chosen for variables of each kind; no entry where nothing can. */
async function loadVariableOptions(form: ILoadOptionsFunctions, kinds: ReadonlySet<string>) {
	const files = fileVariableTypes.some((kind) => kinds.has(kind));
	const [voices, looks, assets] = await Promise.all([
		kinds.has('voice') ? readFirstEntries(form, voice.search.searchVoices) : [],
		kinds.has('character') ? readFirstEntries(form, look.search.searchLooks) : [],
		files ? readFirstEntries(form, ownAsset.search.searchAssets, maxAssetsSearched) : [],
	]);
	const choices = new Map<string, INodePropertyOptions[]>();
	if (voices.length > 0) choices.set('voice', voices.map(toVariableOption));
	if (looks.length > 0) choices.set('character', looks.map(toVariableOption));
	for (const kind of fileVariableTypes) {
		// The list tells the kind of a file in its description.
		const own = assets.filter(({ description }) => description === kind).slice(0, maxVariableOptions);
		if (own.length === 0) continue;
		const options = own.map(({ name, value }) => ({ name, value: `asset:${value}` }));
		choices.set(kind, [itemFileOption, ...options]);
	}
	return choices;
}

const variableLabels: Record<string, string> = {
	text: 'text',
	image: 'image',
	video: 'video',
	audio: 'audio',
	character: 'avatar look',
	voice: 'voice',
};

/** What is typed where nothing can be chosen. */
const typedVariableLabels: Record<string, string> = {
	image: 'image address',
	video: 'video address',
	audio: 'audio address',
	character: 'avatar look ID',
	voice: 'voice ID',
};

/** The text that the template has, as an example: a value of the field would be paid for unseen. */
function describeExampleText({ type, content }: IDataObject): string {
	const text = type === 'text' ? shortenText(content) : '';
	return text === '' || text.includes('{{') ? '' : `e.g. “${text}”`;
}

/** A variable as a field of the form. */
function toVariableField(
	name: string,
	variable: IDataObject,
	choices: INodePropertyOptions[] | undefined,
	chosen: unknown,
): ResourceMapperField {
	const kind = String(variable.type);
	const label = (choices ? variableLabels : { ...variableLabels, ...typedVariableLabels })[kind] ?? kind;
	// The editor shows some 25 letters.
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
	if (!choices) return field;
	// What is chosen already stays a choice, wherever it stands in the list by now.
	const missing =
		typeof chosen === 'string' &&
		chosen !== '' &&
		!chosen.startsWith('=') &&
		!choices.some(({ value }) => value === chosen);
	const options = missing ? [{ name: chosen, value: chosen }, ...choices] : choices;
	return { ...field, type: 'options', options };
}

/** The variables of the chosen template as fields of the form. */
async function loadTemplateVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const template = await fetchSelectedTemplate(this);
	if (!template) {
		return {
			fields: [],
			emptyFieldsNotice:
				'Choose a template, and its variables come here. If an expression gives the template, set Variables From to Item or JSON.',
		};
	}
	const known = readDeclaredVariables(template);
	const kinds = new Set([...known.values()].map(({ type }) => String(type)));
	const choices = await loadVariableOptions(this, kinds);
	const filled = readObject(this.getCurrentNodeParameter('variables.value'));
	return {
		fields: [...known].map(([name, variable]) =>
			toVariableField(name, variable, choices.get(String(variable.type)), filled[name]),
		),
		emptyFieldsNotice:
			'This template has no variables yet. Add some with the operation Update Variables.',
	};
}

/** The methods that the field with the variables names. */
export const templateVariableMethods = { templateVariables: loadTemplateVariables };
