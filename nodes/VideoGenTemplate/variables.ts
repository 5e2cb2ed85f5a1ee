/**
 * The variables of a template: as fields of the form, and as what the API takes (docs/service.md,
 * Resources).
 *
 * Only the template knows of which kind a variable is, so it is read again when a video is made.
 */
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';
import { z } from 'zod';
import type { AssetInput } from '../core/files/inputs';
import type { ListSearch } from '../core/form/field';
import { lengthOf } from '../core/form/complaints';
import { isObject, objectOf, objectsOf, textOf } from '../core/json';
import { assetInput } from '../fields/asset';
import { jsonObject, openObject } from '../fields/json';
import { look } from '../fields/look';
import { chosenTemplate } from '../fields/template';
import { voice } from '../fields/voice';

/** Longest text of a variable, in characters. */
const longestText = 10_000;

const fit = z.enum(['contain', 'cover', 'crop', 'none']).nullish();
const asset = z.union([assetInput, openObject({ type: z.literal('base64') })], {
	errorMap: () => ({
		message:
			'must be a file such as { "type": "url", "url": "https://…" }, { "type": "asset_id", "asset_id": "…" } or { "type": "binary", "field": "data" }',
	}),
});

/** Values by kind. What is not named here may be sent too: the service may know more. */
const kinds: Record<string, z.ZodTypeAny> = {
	text: z.object({ content: z.string().max(longestText) }),
	image: z.object({ asset, fit }),
	video: z.object({
		asset,
		fit,
		play_style: z.enum(['loop', 'freeze', 'once', 'fit_to_scene', 'full_video']).nullish(),
		volume: z.number().min(0).max(1).nullish(),
	}),
	audio: z.object({ asset }),
	character: z.object({
		character_id: z.string().min(1),
		character_type: z.enum(['avatar', 'talking_photo']).nullish(),
	}),
	voice: z.object({ voice_id: z.string().min(1) }),
};

/** Whether a value is one of the API already, instead of a plain one. */
export const isTyped = (value: unknown): value is IDataObject & { type: string } =>
	isObject(value) && typeof value.type === 'string';

function checkLengths(values: Record<string, unknown>, context: z.RefinementCtx) {
	for (const [name, value] of Object.entries(values)) {
		const length = lengthOf(value);
		if (length <= longestText) continue;
		context.addIssue({
			code: z.ZodIssueCode.custom,
			path: [name],
			message: `must have at most ${longestText.toLocaleString('en-US')} characters, but has ${length.toLocaleString('en-US')}`,
		});
	}
}

/** What the form holds. Objects in it, made by expressions, are left to the service. */
export const mappedValues = z
	.object({ auto: z.boolean(), values: jsonObject })
	.superRefine(({ values }, context) => checkLengths(values, context));

/** Values by the names of the variables: plain ones, or objects as the API takes them. */
export const jsonValues = jsonObject.superRefine((values, context) => {
	checkLengths(values, context);
	for (const [name, value] of Object.entries(values)) {
		const result = isTyped(value) ? kinds[value.type]?.safeParse(value) : undefined;
		for (const issue of result?.error?.issues ?? []) {
			context.addIssue({ ...issue, path: [name, ...issue.path] });
		}
	}
});

/** What the template declares, by the names of its variables. */
function declared(template: IDataObject): Map<string, IDataObject> {
	const result = new Map<string, IDataObject>();
	for (const [name, variable] of Object.entries(objectOf(template.variables))) {
		if (isTyped(variable)) result.set(name, variable);
	}
	for (const { variables } of objectsOf(template.scenes)) {
		for (const { name, variable_type: type } of objectsOf(variables)) {
			if (!result.has(String(name))) result.set(String(name), { type });
		}
	}
	return result;
}

const fileKinds = ['image', 'video', 'audio'];

/** The file that a text stands for: a web address, an asset, or a binary field of the item. */
function fileOf(text: string): AssetInput | undefined {
	const [, prefix, rest = ''] = /^(asset|binary)\s*:\s*(.+)$/i.exec(text) ?? [];
	if (prefix?.toLowerCase() === 'asset') return { type: 'asset_id', asset_id: rest };
	if (prefix) return { type: 'binary', field: rest };
	return z.string().url().safeParse(text).success && /^https?:/i.test(text)
		? { type: 'url', url: text }
		: undefined;
}

/** The API's value for a plain one, or what is wrong with it: the rest of a sentence. */
function valueOf(kind: string, given: unknown): IDataObject | string {
	if (isTyped(given)) {
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
	if (fileKinds.includes(kind)) {
		const file = fileOf(text);
		if (file) return { type: kind, asset: file };
		return `must be a web address (https://…), asset:ID of an asset, or binary:field for a file of the item, but is "${text}"`;
	}
	return `is of a kind that this form does not know (${kind}): give it as JSON, as an object with its type`;
}

/** The API's variables, and what is wrong with them: sentences. */
export function variablesOf(
	template: IDataObject,
	given: Record<string, unknown>,
): { variables: IDataObject; wrong: string[] } {
	const known = declared(template);
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
		const result = valueOf(String(kind), value);
		if (typeof result === 'string') wrong.push(`"Variables → ${name}" ${result}`);
		else variables[name] = result;
	}
	return { variables, wrong };
}

/** The same, from the fields of an item that are named like variables. */
export function itemVariables(template: IDataObject, item: IDataObject) {
	const names = [...declared(template).keys()];
	const given = names
		.map((name) => [name, item[name]] as const)
		.filter(([, value]) => value !== undefined && value !== null && value !== '');
	const result = variablesOf(template, Object.fromEntries(given));
	if (given.length === 0 && names.length > 0) {
		result.wrong.push(
			`The item has no field that is named like a variable of the template: ${names.join(', ')}`,
		);
	}
	return result;
}

/** The largest number of entries in a dropdown: n8n keeps them in the workflow. */
const mostOptions = 100;

/** The beginning of a list, the account's own entries first; nothing where it cannot be read. */
async function beginning(
	form: ILoadOptionsFunctions,
	search: ListSearch,
): Promise<INodePropertyOptions[] | undefined> {
	const options: INodePropertyOptions[] = [];
	let token: string | undefined;
	try {
		do {
			const page = await search.call(form, undefined, token);
			options.push(...page.results.map(({ name, value }) => ({ name, value: String(value) })));
			token = textOf(page.paginationToken);
		} while (token !== undefined && options.length < mostOptions);
	} catch {
		return undefined;
	}
	return options.length === 0 ? undefined : options.slice(0, mostOptions);
}

const labels: Record<string, string> = {
	text: 'text',
	image: 'image',
	video: 'video',
	audio: 'audio',
	character: 'avatar look ID',
	voice: 'voice ID',
};

/** A sample that can be shown as the first value: no placeholder, and no expression. */
function sample({ type, content }: IDataObject): string | undefined {
	if (type !== 'text' || typeof content !== 'string') return undefined;
	return content === '' || content.includes('{{') || content.startsWith('=') ? undefined : content;
}

/** The variables of the chosen template as fields of the form. */
async function templateVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const template = await chosenTemplate(this);
	if (!template) {
		return {
			fields: [],
			emptyFieldsNotice:
				'Choose a template first. If the template is given by an expression, give the variables as JSON.',
		};
	}
	const known = declared(template);
	const has = (kind: string) => [...known.values()].some(({ type }) => type === kind);
	const [voices, looks] = await Promise.all([
		has('voice') ? beginning(this, voice.search.searchVoices) : undefined,
		has('character') ? beginning(this, look.search.searchLooks) : undefined,
	]);
	const filled = objectOf(this.getCurrentNodeParameter('variables.value'));

	const fields = [...known].map(([name, variable]): ResourceMapperField => {
		const kind = String(variable.type);
		const choices = kind === 'voice' ? voices : kind === 'character' ? looks : undefined;
		const field: ResourceMapperField = {
			id: name,
			displayName: `${name} (${labels[kind] ?? kind})`,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
			type: 'string',
		};
		const first = sample(variable);
		if (first !== undefined) field.defaultValue = first;
		if (choices) {
			// What is chosen already stays a choice, wherever it stands in the list by now.
			const chosen = filled[name];
			const missing =
				typeof chosen === 'string' &&
				chosen !== '' &&
				!chosen.startsWith('=') &&
				!choices.some(({ value }) => value === chosen);
			field.displayName = `${name} (${kind === 'voice' ? 'voice' : 'avatar look'})`;
			field.type = 'options';
			field.options = missing ? [{ name: chosen, value: chosen }, ...choices] : choices;
		}
		return field;
	});
	return {
		fields,
		emptyFieldsNotice:
			'This template has no variables yet. Add some with the operation Update Variables.',
	};
}

/** The methods that the field with the variables names. */
export const mapping = { templateVariables };
