/**
 * Reads and validates the form values for one input item.
 *
 * Data from spreadsheets and web forms often contains numbers as text, or text as numbers. Such
 * values are first converted to the form field's type. The field's schema then decides whether the
 * result is valid.
 */
import {
	jsonParse,
	type IDataObject,
	type IExecuteFunctions,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { isObject, readId, readObject, toNonEmptyStrings } from '../json';
import {
	collectionNames,
	getCollectionOptions,
	type Field,
	type FixedCollectionGroup,
} from './field';
import {
	findNestingProblem,
	findOversizeProblem,
	formatNumber,
	parseFieldValue,
	type ValidationProblem,
	type ProblemReporter,
} from './validation';

/**
 * Returns a sentence that explains why a field is empty, or an empty string if the user has entered
 * nothing. `key` selects one of the entries of a resource mapper.
 */
type EmptyValueExplainer = (field: Field, key?: string) => string;

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/**
 * Whether a value comes from a resource locator, n8n's field for selecting from a list or by ID.
 * If the user adds such a field but leaves it unchanged, its stored value lacks the mark `__rl`.
 */
const isLocatorValue = (value: unknown): value is { mode: unknown; value: unknown } =>
	isObject(value) &&
	('__rl' in value || (Object.keys(value).length === 2 && 'mode' in value && 'value' in value));

const readLocatorValue = (value: unknown): unknown => (isLocatorValue(value) ? value.value : value);

const isUnset = ({ type, unset }: Field, value: unknown) =>
	isBlank(readLocatorValue(value)) ||
	(type === 'multiOptions' && Array.isArray(value) && value.length === 0) ||
	// The number may also arrive as text, as in data from spreadsheets.
	(unset !== undefined && ['number', 'string'].includes(typeof value) && Number(value) === unset);

/** Converts the value of a file field: a URL, an asset ID or the name of a binary field. */
function toAssetInput(raw: unknown): unknown {
	if (!isLocatorValue(raw)) return raw;
	const { mode, value: entered } = raw;
	const value = readId(entered) ?? entered;
	if (mode === 'binary') return { type: 'binary', field: value };
	return mode === 'url' ? { type: 'url', url: value } : { type: 'asset_id', asset_id: value };
}

/** Maximum entries of a list. Limited because each invalid entry causes an error message. */
const maxEntries = 1_000;

/** Matches a comma that is not in parentheses, as in the name "Chinese (Mandarin, Simplified)". */
const commaBetweenNames = /,(?![^()]{0,100}\))/;

/** Parses text that is a JSON list. Returns undefined for any other text. */
export function parseJsonList(text: string): unknown[] | undefined {
	if (!text.trimStart().startsWith('[') || findNestingProblem(text) !== undefined) return undefined;
	const list = jsonParse<unknown>(text, { fallbackValue: null });
	return Array.isArray(list) ? list : undefined;
}

/** Splits text into names at its commas. Stops splitting if there are too many names. */
function splitNames(text: string): string[] {
	const names = text.replace(/^[\s,]+/, '').split(commaBetweenNames, maxEntries + 1);
	return names.length > maxEntries ? names : toNonEmptyStrings(names);
}

function toEntries(value: unknown): unknown {
	if (typeof value === 'number') return [String(value)];
	const entries = typeof value === 'string' ? (parseJsonList(value) ?? splitNames(value)) : value;
	return Array.isArray(entries) ? entries.map((part: unknown) => readId(part) ?? part) : entries;
}

function convertValue(
	field: Field,
	name: string,
	raw: unknown,
	reportProblem: ProblemReporter,
	explainEmpty: EmptyValueExplainer,
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
				const nestingProblem = findNestingProblem(value);
				const parsed = nestingProblem === undefined ? (JSON.parse(value) as unknown) : undefined;
				const sizeProblem = nestingProblem ?? findOversizeProblem(field, parsed);
				if (sizeProblem === undefined) return parsed;
				reportProblem(`"${name}" ${sizeProblem}`);
			} catch (error) {
				reportProblem(`"${name}" is not valid JSON: ${(error as Error).message}`);
			}
			return undefined;
		}
		case 'collection':
			return readCollection(listMembers(field, field.options), name, value, reportProblem);
		case 'fixedCollection':
			return readFixedCollection(field, name, value, reportProblem);
		case 'resourceMapper':
			return readMapper(field, name, value, reportProblem, explainEmpty);
		default:
			return value;
	}
}

const getConditions = (field: Field) => field.displayOptions?.show ?? {};

/** Returns the names of the fields whose values decide which other fields the form shows. */
const listDecidingNames = (fields: readonly Field[]) =>
	new Set(fields.flatMap((field) => Object.keys(getConditions(field))));

/** Makes a dropdown field accept only the values in its list. Used if the node needs the value. */
const toClosedField = (field: Field): Field => ({ ...field, in: 'local' });

/** Returns a collection's fields. If the collection is `local`, they accept only listed values. */
const listMembers = ({ in: place }: Field, members: Field['options'] = []): readonly Field[] =>
	place === 'local'
		? (members as readonly Field[]).map(toClosedField)
		: (members as readonly Field[]);

/** Whether n8n shows a field of a collection. A hidden field may contain an invalid old value. */
function isVisible(field: Field, siblings: Record<string, unknown>): boolean {
	return Object.entries(getConditions(field)).every(
		([name, shownFor]) =>
			siblings[name] === undefined || (shownFor as readonly unknown[]).includes(siblings[name]),
	);
}

function readCollection(
	fields: readonly Field[],
	name: string,
	value: unknown,
	reportProblem: ProblemReporter,
): unknown {
	if (!isObject(value)) return value;
	const result: Record<string, unknown> = {};
	const decidingNames = listDecidingNames(fields);
	for (const member of fields) {
		const field = decidingNames.has(member.name) ? toClosedField(member) : member;
		if (!isVisible(field, value)) continue;
		const inner = readField(
			field,
			value[field.name],
			reportProblem,
			`${name} → ${field.displayName}`,
		);
		if (inner !== undefined) result[field.name] = inner;
	}
	return result;
}

/**
 * Reads a `fixedCollection`, n8n's control for repeated groups of fields. A single group becomes a
 * list if several entries are allowed, otherwise an object. Several groups become an object with a
 * property for each.
 */
function readFixedCollection(
	field: Field,
	name: string,
	value: unknown,
	reportProblem: ProblemReporter,
): unknown {
	if (!isObject(value)) return value;
	const groups = (field.options ?? []) as readonly FixedCollectionGroup[];
	const hasSeveralEntries = field.typeOptions?.multipleValues === true;
	const readEntry = (group: FixedCollectionGroup, path: string, entry: unknown) =>
		readCollection(listMembers(field, group.values), path, entry, reportProblem);
	const readGroup = (group: FixedCollectionGroup): unknown => {
		const entry = value[group.name];
		if (!hasSeveralEntries) return entry === undefined ? undefined : readEntry(group, name, entry);
		return [entry ?? []].flat().map((one, i) => readEntry(group, `${name} → entry ${i + 1}`, one));
	};
	const [first] = groups;
	if (first && groups.length === 1) {
		const result = readGroup(first);
		return Array.isArray(result) && result.length === 0 ? undefined : result;
	}
	return Object.fromEntries(groups.map((group) => [group.name, readGroup(group)]));
}

/**
 * Reads the values of a resource mapper, in which n8n stores null for empty fields. Reports each
 * field whose expression returned nothing, because the user has set that field.
 */
function readMapper(
	field: Field,
	name: string,
	value: unknown,
	reportProblem: ProblemReporter,
	explainEmpty: EmptyValueExplainer,
): unknown {
	if (!isObject(value) || !('mappingMode' in value)) return value;
	const entries = Object.entries(readObject(value.value));
	const advice = field.adviceIfEmpty === undefined ? '' : `. ${field.adviceIfEmpty}`;
	for (const [key] of entries.filter(([, one]) => isBlank(one))) {
		const reason = explainEmpty(field, key);
		if (reason !== '') reportProblem(`"${name} → ${key}" is empty. ${reason}${advice}`);
	}
	return Object.fromEntries(entries.filter(([, one]) => !isBlank(one)));
}

/**
 * Reads the value of a form field. Returns `undefined` if it is empty or invalid.
 *
 * @param name displayed name, preceded by the names of the collections that contain the field
 */
function readField(
	field: Field,
	raw: unknown,
	reportProblem: ProblemReporter,
	name = field.displayName,
	explainEmpty: EmptyValueExplainer = () => '',
): unknown {
	// Checked first, so that nothing else has to process a value of unlimited size.
	const sizeProblem = findOversizeProblem(field, raw);
	if (sizeProblem !== undefined) {
		reportProblem(`"${name}" ${sizeProblem}`);
		return undefined;
	}
	let hasProblem = false;
	const report: ProblemReporter = (problem, isHint) => {
		hasProblem ||= !isHint;
		reportProblem(problem, isHint);
	};
	const value = isUnset(field, raw)
		? undefined
		: convertValue(field, name, raw, report, explainEmpty);
	if (hasProblem) return undefined;
	if (value !== undefined) return parseFieldValue(field, name, value, reportProblem);
	if (!field.required) return undefined;
	const reason = isBlank(readLocatorValue(raw)) ? explainEmpty(field) : '';
	reportProblem(reason === '' ? `"${name}" is required` : `"${name}" is empty. ${reason}`);
	return undefined;
}

/** Fallback that shows that n8n hides a field, because no expression returns this text. */
const hiddenField = '\0hidden';

/** Reads and validates all values of one input item. Sends no requests. */
export function readParameters(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	fields: readonly Field[],
	options: readonly Field[],
	itemIndex: number,
	explainEmpty?: EmptyValueExplainer,
) {
	const values: Record<string, unknown> = {};
	const problemsByField = new Map<string, ValidationProblem[]>();
	/** Messages about values that are not in their field's list, but are sent anyway. */
	const hints: string[] = [];
	const read = (field: Field, raw: unknown) => {
		const problems: ValidationProblem[] = [];
		problemsByField.set(field.name, problems);
		const report: ProblemReporter = (text, isHint) => (isHint ? hints : problems).push(text);
		const value = readField(field, raw, report, field.displayName, explainEmpty);
		if (value !== undefined) values[field.name] = value;
	};

	const isDependent = (field: Field) => field.displayOptions !== undefined;
	const meetsConditions = (field: Field) =>
		Object.entries(getConditions(field)).every(([name, shownFor]) =>
			(shownFor as readonly unknown[]).includes(values[name]),
		);
	// The editor always shows a field that depends on an expression. Here, its result is known.
	const decidingNames = listDecidingNames(fields);
	const independent = fields.filter((field) => !isDependent(field));
	for (const field of [...independent, ...fields.filter(isDependent)]) {
		const raw = n8n.getNodeParameter(field.name, itemIndex, hiddenField) as unknown;
		if (raw === hiddenField) {
			if (!isDependent(field)) read(field, undefined);
		} else if (!isDependent(field) || meetsConditions(field)) {
			read(
				decidingNames.has(field.name) ? { ...toClosedField(field), required: true } : field,
				raw,
			);
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
		...(hints.length > 0 && { hints }),
	};
}

const maxNames = 5;
/** Maximum length of an expression or a field name in an error message, in characters. */
const maxLength = 60;

function findExpression(parameter: NodeParameterValueType | undefined): string | undefined {
	const value = readLocatorValue(parameter);
	return typeof value === 'string' && value.startsWith('=') ? value.slice(1) : undefined;
}

const shorten = (text: string) =>
	text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

/** Splits a name into words: `lookId`, `look_id` and `Look ID` become `look` and `id`. */
const splitIntoWords = (name: string) =>
	name
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u);

/** Words that occur in many names. Two names that share only such a word need not be similar. */
const vagueWords = new Set(['', 'id', 'ids', 'json', 'item', 'body', 'url', 'type']);

const listNames = (json: IDataObject) => [
	...Object.keys(json),
	...Object.entries(json).flatMap(([name, value]) =>
		isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [],
	),
];

/** Finds names that share a word with the expression or with the label of the form field. */
function findSimilarNames(expression: string, label: string, names: readonly string[]): string[] {
	const searched = new Set([expression, label].flatMap(splitIntoWords));
	const isSimilar = (word: string) => searched.has(word) && !vagueWords.has(word);
	return names.filter((path) =>
		splitIntoWords(path.slice(path.lastIndexOf('.') + 1)).some(isSimilar),
	);
}

/**
 * Returns a sentence that explains why an expression returned nothing: either the item's field is
 * empty, or the item has only other fields, which are listed with similar names first. Returns an
 * empty string for a fixed value.
 *
 * @param parameter value as n8n stores it, before the expression is evaluated
 * @param label name of the field in the form
 */
export function explainEmptyExpression(
	parameter: NodeParameterValueType | undefined,
	json: IDataObject,
	label: string,
): string {
	const expression = findExpression(parameter)?.trim();
	if (expression === undefined) return '';
	const [, field] = /\$json\.(\w+)/.exec(expression) ?? [];
	if (field !== undefined && Object.hasOwn(json, field) && isBlank(json[field])) {
		return `The row's ${shorten(field)} field is empty`;
	}
	const similar = findSimilarNames(expression, label, listNames(json));
	const names = [...new Set([...similar, ...Object.keys(json)])];
	const listed = names.slice(0, maxNames).map(shorten);
	const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
	const hint = listed.length === 0 ? 'has no fields' : `has ${listed.join(', ')}${more}`;
	return `The expression ${shorten(expression)} returned no value; the row ${hint}`;
}
