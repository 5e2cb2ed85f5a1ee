/**
 * Reads the form values of one item, converts them to the types of their fields and validates them.
 *
 * Spreadsheets and forms may deliver numbers as text, and text as numbers. Only such simple cases
 * are converted here. The schema of each field decides whether the result is valid.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isObject, readObject } from '../json';
import { collectionNames, getCollectionOptions, type Field, type FieldGroup } from './field';
import { findSizeProblem } from './size';
import {
	formatNumber,
	validateField,
	type ValidationProblem,
	type ReportProblem,
} from './validation';

/**
 * Whether the value is the number that means "not set" for the field. It may also be text, because
 * spreadsheets and forms deliver numbers as text.
 */
const isUnsetNumber = ({ unset }: Field, value: unknown) =>
	unset !== undefined && ['number', 'string'].includes(typeof value) && Number(value) === unset;

/** Whether the value is an empty selection in a multiple-choice field. */
const isEmptyChoice = ({ type }: Field, value: unknown) =>
	type === 'multiOptions' && Array.isArray(value) && value.length === 0;

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/** Returns the value inside a resource locator object. Returns any other value unchanged. */
const readLocatorValue = (value: unknown): unknown =>
	isObject(value) && '__rl' in value ? value.value : value;

/**
 * Converts the resource locator of a file field to an asset input with a URL, an asset ID or a
 * binary field. Returns any other value unchanged.
 */
function toAssetInput(raw: unknown): unknown {
	if (!isObject(raw) || !('__rl' in raw)) return raw;
	const { mode, value } = raw;
	if (mode === 'binary') return { type: 'binary', field: value };
	return mode === 'url' ? { type: 'url', url: value } : { type: 'asset_id', asset_id: value };
}

/** Maximum number of entries of a choice. Each of them would be checked, and reported if it is wrong. */
const maxEntries = 1_000;

/**
 * Splits text at its commas, except for those in parentheses, which are part of a name: "Chinese
 * (Mandarin, Simplified)". Ignores empty parts. Stops after more names than a choice may have.
 */
function splitNames(text: string): string[] {
	const names: string[] = [];
	let end = text.length;
	let isInParentheses = false;
	// From the end: only a closing parenthesis shows that a comma before it is inside.
	for (let i = text.length - 1; i >= -1 && names.length <= maxEntries; i--) {
		if (text[i] === ')') isInParentheses = true;
		else if (text[i] === '(') isInParentheses = false;
		else if (i === -1 || (text[i] === ',' && !isInParentheses)) {
			const name = text.slice(i + 1, end).trim();
			if (name !== '') names.push(name);
			end = i;
		}
	}
	return names.reverse();
}

/** Converts the value of a field with several choices to a list. Returns any other value unchanged. */
function toEntries(value: unknown): unknown {
	if (typeof value === 'number') return [String(value)];
	if (Array.isArray(value)) {
		return value.map((part: unknown) => (typeof part === 'number' ? String(part) : part));
	}
	return typeof value === 'string' ? splitNames(value) : value;
}

/** Converts a value to the type of its field: for example, JSON text to an object. */
function convertValue(
	field: Field,
	name: string,
	raw: unknown,
	reportProblem: ReportProblem,
): unknown {
	if (field.asset) return toAssetInput(raw);
	const value = readLocatorValue(raw);
	switch (field.type) {
		case 'number':
			if (typeof value === 'number' && !Number.isFinite(value)) {
				reportProblem(`"${name}" must be a number, but is ${String(value)}`);
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
		case 'multiOptions': {
			const entries = toEntries(value);
			if (!Array.isArray(entries) || entries.length <= maxEntries) return entries;
			reportProblem(`"${name}" must have at most ${formatNumber(maxEntries)} entries`);
			return undefined;
		}
		case 'json': {
			if (typeof value !== 'string') return value;
			try {
				const parsed = JSON.parse(value) as unknown;
				const sizeProblem = findSizeProblem(field, parsed);
				if (sizeProblem === undefined) return parsed;
				reportProblem(`"${name}" ${sizeProblem}`);
			} catch (error) {
				reportProblem(`"${name}" is not valid JSON: ${(error as Error).message}`);
			}
			return undefined;
		}
		case 'collection':
			return readCollection((field.options ?? []) as readonly Field[], name, value, reportProblem);
		case 'fixedCollection':
			return readFixedCollection(field, name, value, reportProblem);
		case 'resourceMapper':
			return readMapper(value);
		default:
			return value;
	}
}

const getConditions = (field: Field) => field.displayOptions?.show ?? {};

/**
 * Whether n8n shows a field inside a collection, depending on the values of the other fields there.
 * Hidden fields are ignored, because their values may be outdated and invalid.
 */
function isVisible(field: Field, siblings: Record<string, unknown>): boolean {
	return Object.entries(getConditions(field)).every(
		([name, shownFor]) =>
			siblings[name] === undefined || (shownFor as readonly unknown[]).includes(siblings[name]),
	);
}

/** Returns the validated values of a collection, without fields that are empty or hidden. */
function readCollection(
	fields: readonly Field[],
	name: string,
	value: unknown,
	reportProblem: ReportProblem,
): unknown {
	if (!isObject(value)) return value;
	const result: Record<string, unknown> = {};
	for (const field of fields) {
		if (!isVisible(field, value)) continue;
		const inner = readField(field, value[field.name], reportProblem, { parent: name });
		if (inner !== undefined) result[field.name] = inner;
	}
	return result;
}

/**
 * Returns the value of a fixed collection. If it has a single group, the result is the value of
 * that group: a list if several entries are allowed, otherwise an object. If it has several groups,
 * the result is an object with one property per group.
 */
function readFixedCollection(
	field: Field,
	name: string,
	value: unknown,
	reportProblem: ReportProblem,
): unknown {
	if (!isObject(value)) return value;
	const groups = (field.options ?? []) as readonly FieldGroup[];
	const hasSeveralEntries = field.typeOptions?.multipleValues === true;
	const readGroup = (group: FieldGroup): unknown => {
		const entry = value[group.name];
		if (hasSeveralEntries) {
			const entries = entry === undefined ? [] : Array.isArray(entry) ? entry : [entry];
			return entries.map((one, i) =>
				readCollection(group.values, `${name} → entry ${i + 1}`, one, reportProblem),
			);
		}
		if (entry === undefined) return undefined;
		return readCollection(group.values, name, entry, reportProblem);
	};
	const [first] = groups;
	if (first && groups.length === 1) {
		const result = readGroup(first);
		return Array.isArray(result) && result.length === 0 ? undefined : result;
	}
	return Object.fromEntries(groups.map((group) => [group.name, readGroup(group)]));
}

/** Returns the values of a resource mapper without its empty fields, for which n8n stores null. */
function readMapper(value: unknown): unknown {
	if (!isObject(value) || !('mappingMode' in value)) return value;
	const filled = Object.entries(readObject(value.value)).filter(([, one]) => !isBlank(one));
	return Object.fromEntries(filled);
}

/**
 * Converts and validates the value of a field. Returns `undefined` if the value is empty or
 * invalid.
 *
 * @param parent displayed name of the collection that contains the field
 * @param whyEmpty end of the sentence about a required field without a value
 */
function readField(
	field: Field,
	raw: unknown,
	reportProblem: ReportProblem,
	{ parent, whyEmpty = '' }: { parent?: string; whyEmpty?: string } = {},
): unknown {
	const name = parent === undefined ? field.displayName : `${parent} → ${field.displayName}`;
	const isEmpty =
		isBlank(readLocatorValue(raw)) || isUnsetNumber(field, raw) || isEmptyChoice(field, raw);
	// First of all: whatever reads the value is only tried with values of a limited size.
	const sizeProblem = findSizeProblem(field, raw);
	if (sizeProblem !== undefined) {
		reportProblem(`"${name}" ${sizeProblem}`);
		return undefined;
	}
	let hasProblem = false;
	const value = isEmpty
		? undefined
		: convertValue(field, name, raw, (problem) => {
				hasProblem = true;
				reportProblem(problem);
			});
	if (hasProblem) return undefined;
	if (value !== undefined) return validateField(field, name, value, reportProblem);
	if (field.required) reportProblem(`"${name}" is required${whyEmpty}`);
	return undefined;
}

/**
 * Validated form values of one item, and the problems of the invalid ones. `problems` is empty if
 * all values are valid.
 */
export interface ParameterValues {
	values: IDataObject;
	problems: ValidationProblem[];
}

/**
 * Default value that n8n returns for a field that is hidden for an item. An expression can return
 * null, but never this text.
 */
const hiddenField = '\0hidden';

/**
 * Reads and validates the values of all fields and options for one item. Sends no requests.
 *
 * @param explainEmpty returns the end of the sentence about a required field without a value
 */
export function readParameters(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	fields: readonly Field[],
	options: readonly Field[],
	itemIndex: number,
	explainEmpty: (field: Field) => string = () => '',
): ParameterValues {
	const values: Record<string, unknown> = {};
	const problemsByField = new Map<string, ValidationProblem[]>();
	const read = (field: Field, raw: unknown) => {
		const problems: ValidationProblem[] = [];
		problemsByField.set(field.name, problems);
		const isMissing = field.required === true && isBlank(readLocatorValue(raw));
		const value = readField(field, raw, (problem) => problems.push(problem), {
			whyEmpty: isMissing ? explainEmpty(field) : '',
		});
		if (value !== undefined) values[field.name] = value;
	};

	const isDependent = (field: Field) => field.displayOptions !== undefined;
	const meetsConditions = (field: Field) =>
		Object.entries(getConditions(field)).every(([name, shownFor]) =>
			(shownFor as readonly unknown[]).includes(values[name]),
		);
	// n8n shows a field that depends on an expression for any value. Here the value is known.
	const decidingNames = new Set(fields.flatMap((field) => Object.keys(getConditions(field))));
	const independent = fields.filter((field) => !isDependent(field));
	for (const field of [...independent, ...fields.filter(isDependent)]) {
		const raw = n8n.getNodeParameter(field.name, itemIndex, hiddenField) as unknown;
		if (raw === hiddenField) {
			if (!isDependent(field)) read(field, undefined);
		} else if (!isDependent(field) || meetsConditions(field)) {
			read(decidingNames.has(field.name) ? { ...field, required: true } : field, raw);
		}
	}

	for (const collection of collectionNames) {
		const members = getCollectionOptions(collection, options);
		if (members.length === 0) continue;
		const chosen = n8n.getNodeParameter(collection, itemIndex, {}) as IDataObject;
		for (const field of members) read(field, chosen[field.name]);
	}
	return {
		values: values as IDataObject,
		problems: [...fields, ...options].flatMap(({ name }) => problemsByField.get(name) ?? []),
	};
}
