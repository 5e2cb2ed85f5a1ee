/**
 * From what n8n hands over to checked values.
 *
 * Sheets and forms deliver numbers as text and text as numbers, so plain conversions are made
 * here; everything else is left to the field's schema, whose complaints are put into words.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { trimTexts, isObject, readObject } from '../json';
import { validateField, type ReportProblem, type Problem } from './validation';
import { collectionNames, getCollectionOptions, type Field } from './field';

/** Whether a number stands for nothing; n8n gives those of sheets and forms as text. */
const isUnsetNumber = ({ unset }: Field, value: unknown) =>
	unset !== undefined && ['number', 'string'].includes(typeof value) && Number(value) === unset;

/** Whether no choice of several is made. */
const isEmptyChoice = ({ type }: Field, value: unknown) =>
	type === 'multiOptions' && Array.isArray(value) && value.length === 0;

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/** The plain value of what may be a resource locator. */
const readLocatorValue = (value: unknown): unknown =>
	isObject(value) && '__rl' in value ? value.value : value;

/** The asset input that a file field stands for. */
function toAssetInput(raw: unknown): unknown {
	if (!isObject(raw) || !('__rl' in raw)) return raw;
	const { mode, value } = raw;
	if (mode === 'binary') return { type: 'binary', field: value };
	return mode === 'url' ? { type: 'url', url: value } : { type: 'asset_id', asset_id: value };
}

function convertValue(field: Field, name: string, raw: unknown, complain: ReportProblem): unknown {
	if (field.asset) return toAssetInput(raw);
	const value = readLocatorValue(raw);
	switch (field.type) {
		case 'number':
			if (typeof value === 'number' && !Number.isFinite(value)) {
				complain(`"${name}" must be a number, but is ${String(value)}`);
				return undefined;
			}
			return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
				? Number(value)
				: value;
		case 'boolean':
			if (value === 'true' || value === 'TRUE') return true;
			if (value === 'false' || value === 'FALSE') return false;
			return value;
		case 'string':
		case 'resourceLocator':
			return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
		case 'multiOptions':
			if (typeof value === 'number') return [String(value)];
			if (Array.isArray(value)) {
				return value.map((part: unknown) => (typeof part === 'number' ? String(part) : part));
			}
			// A comma in parentheses is part of a name: "Chinese (Mandarin, Simplified)".
			return typeof value === 'string' ? trimTexts(value.split(/,(?![^(]*\))/)) : value;
		case 'json': {
			if (typeof value !== 'string') return value;
			try {
				return JSON.parse(value) as unknown;
			} catch (error) {
				complain(`"${name}" is not valid JSON: ${(error as Error).message}`);
				return undefined;
			}
		}
		case 'collection':
			return readCollection((field.options ?? []) as readonly Field[], name, value, complain);
		case 'fixedCollection':
			return readFixedCollection(field, name, value, complain);
		case 'resourceMapper':
			return readMapper(value);
		default:
			return value;
	}
}

const getConditions = (field: Field) => field.displayOptions?.show ?? {};

/** Whether a field of a collection is shown beside these values; a hidden one may hold anything. */
function isVisible(field: Field, siblings: Record<string, unknown>): boolean {
	return Object.entries(getConditions(field)).every(
		([name, shownFor]) =>
			siblings[name] === undefined || (shownFor as readonly unknown[]).includes(siblings[name]),
	);
}

/** The fields of a collection that the user filled. */
function readCollection(
	fields: readonly Field[],
	name: string,
	value: unknown,
	complain: ReportProblem,
): unknown {
	if (!isObject(value)) return value;
	const result: Record<string, unknown> = {};
	for (const field of fields) {
		if (!isVisible(field, value)) continue;
		const inner = readField(field, value[field.name], complain, name);
		if (inner !== undefined) result[field.name] = inner;
	}
	return result;
}

/**
 * A fixed collection with one group is the group itself: a list where it takes several entries,
 * an object where it takes one. With several groups it is an object of groups.
 */
function readFixedCollection(
	field: Field,
	name: string,
	value: unknown,
	complain: ReportProblem,
): unknown {
	if (!isObject(value)) return value;
	const groups = (field.options ?? []) as ReadonlyArray<{ name: string; values: readonly Field[] }>;
	const many = field.typeOptions?.multipleValues === true;
	const read = ({ name: group, values }: (typeof groups)[number]): unknown => {
		const entry = value[group];
		if (many) {
			const entries = entry === undefined ? [] : Array.isArray(entry) ? entry : [entry];
			return entries.map((one, i) =>
				readCollection(values, `${name} → entry ${i + 1}`, one, complain),
			);
		}
		return entry === undefined ? undefined : readCollection(values, name, entry, complain);
	};
	const [only, ...others] = groups;
	if (only && others.length === 0) {
		const result = read(only);
		return Array.isArray(result) && result.length === 0 ? undefined : result;
	}
	return Object.fromEntries(groups.map((group) => [group.name, read(group)]));
}

/** The fields of a resource mapper that the user filled; n8n holds null for those left alone. */
function readMapper(value: unknown): unknown {
	if (!isObject(value) || !('mappingMode' in value)) return value;
	const filled = Object.entries(readObject(value.value)).filter(([, one]) => !isBlank(one));
	return Object.fromEntries(filled);
}

/** One field's value, converted and checked; undefined where it is unset or wrong. */
function readField(field: Field, raw: unknown, complain: ReportProblem, parent?: string): unknown {
	const name = parent === undefined ? field.displayName : `${parent} → ${field.displayName}`;
	const isEmpty =
		isBlank(readLocatorValue(raw)) || isUnsetNumber(field, raw) || isEmptyChoice(field, raw);
	let wrong = false;
	const value = isEmpty
		? undefined
		: convertValue(field, name, raw, (complaint) => {
				wrong = true;
				complain(complaint);
			});
	if (wrong) return undefined;
	if (value !== undefined) return validateField(field, name, value, complain);
	if (field.required) complain(`"${name}" is required`);
	return undefined;
}

/** Checked values of one item, and what is wrong with them. An empty list means that all is well. */
export interface ParameterValues {
	values: IDataObject;
	problems: Problem[];
}

/** Stands for a field that n8n hides for the item: no expression gives this, but one may give null. */
const hiddenField = '\0hidden';

/** Reads and checks all fields of an operation for one item. Nothing has been sent yet. */
export function readParameters(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	fields: readonly Field[],
	options: readonly Field[],
	itemIndex: number,
): ParameterValues {
	const values: Record<string, unknown> = {};
	const complaints = new Map<string, Problem[]>();
	const read = (field: Field, raw: unknown) => {
		const own: Problem[] = [];
		complaints.set(field.name, own);
		const value = readField(field, raw, (complaint) => own.push(complaint));
		if (value !== undefined) values[field.name] = value;
	};
	// n8n shows a field whose choice is an expression, whatever that gives: here it gives one value.
	const choices = new Set(fields.flatMap((field) => Object.keys(getConditions(field))));
	const fits = (field: Field) =>
		Object.entries(getConditions(field)).every(([name, shownFor]) =>
			(shownFor as readonly unknown[]).includes(values[name]),
		);
	const dependent = (field: Field) => field.displayOptions !== undefined;
	for (const field of [...fields].sort((a, b) => Number(dependent(a)) - Number(dependent(b)))) {
		const raw = n8n.getNodeParameter(field.name, itemIndex, hiddenField) as unknown;
		if (dependent(field) && (raw === hiddenField || !fits(field))) continue;
		const chooses = choices.has(field.name) && raw !== hiddenField;
		read(chooses ? { ...field, required: true } : field, raw === hiddenField ? undefined : raw);
	}
	for (const name of collectionNames) {
		const own = getCollectionOptions(name, options);
		const chosen = own.length > 0 ? n8n.getNodeParameter(name, itemIndex, {}) : {};
		for (const field of own) read(field, (chosen as IDataObject)[field.name]);
	}
	return {
		values: values as IDataObject,
		problems: [...fields, ...options].flatMap(({ name }) => complaints.get(name) ?? []),
	};
}
