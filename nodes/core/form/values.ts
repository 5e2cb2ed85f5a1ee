/**
 * From what n8n hands over to checked values.
 *
 * Sheets and forms deliver numbers as text and text as numbers, so plain conversions are made
 * here; everything else is left to the field's schema, whose complaints are put into words.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ZodIssue, ZodTypeAny } from 'zod';
import { isObject } from '../json';
import { inCollections } from './collections';
import type { Field } from './field';

/** What is wrong with a value: a sentence that names the field as the user sees it. */
export type Complaint = string;

type Complain = (complaint: Complaint) => void;

const count = (n: number | bigint) => n.toLocaleString('en-US');

/** A value as it may be shown in a message: short, and on one line. */
function shown(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
	const line = text.replace(/\s+/g, ' ');
	return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

const typeNames: Record<string, string> = {
	string: 'text',
	number: 'a number',
	integer: 'a whole number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	nan: 'not a number',
	null: 'empty',
	undefined: 'missing',
	date: 'a date',
};

/** Characters of a text, as people count them: not in units of UTF-16. */
export const lengthOf = (value: unknown) => (typeof value === 'string' ? [...value].length : 0);

const typeName = (type: string) => typeNames[type] ?? type;

/** The rest of a sentence that begins with the name of the field. */
function problem(issue: ZodIssue, value: unknown): string {
	switch (issue.code) {
		case 'too_big':
		case 'too_small': {
			const most = issue.code === 'too_big';
			const bound = Number(most ? issue.maximum : issue.minimum);
			const side = most ? 'at most' : 'at least';
			if (issue.type === 'string') {
				const length = lengthOf(value);
				return `must have ${side} ${count(bound)} characters, but has ${count(length)}`;
			}
			if (issue.type === 'array') {
				const length = Array.isArray(value) ? value.length : 0;
				return `must have ${side} ${count(bound)} entries, but has ${count(length)}`;
			}
			const open = issue.inclusive ? side : most ? 'less than' : 'more than';
			return `must be ${open} ${count(bound)}, but is ${shown(value)}`;
		}
		case 'invalid_enum_value':
			return `must be one of ${issue.options.map(String).join(', ')}, but is ${shown(value)}`;
		case 'invalid_literal':
			return `must be ${shown(issue.expected)}, but is ${shown(value)}`;
		case 'invalid_union_discriminator':
			return `must be one of ${issue.options.map(String).join(', ')}, but is ${shown(value)}`;
		case 'invalid_type':
			if (issue.received === 'undefined') return 'is required';
			return `must be ${typeName(issue.expected)}, but is ${typeName(issue.received)}: ${shown(value)}`;
		case 'unrecognized_keys':
			return `does not know ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
		case 'invalid_string':
			if (issue.validation === 'url') {
				return `must be a full web address such as https://example.com/file, but is ${shown(value)}`;
			}
			return `${issue.message}, but is ${shown(value)}`;
		case 'not_multiple_of':
			return `must be a multiple of ${issue.multipleOf}, but is ${shown(value)}`;
		default:
			return issue.message;
	}
}

function at(value: unknown, path: ReadonlyArray<string | number>): unknown {
	return path.reduce<unknown>(
		(inner, key) =>
			inner === null || typeof inner !== 'object'
				? undefined
				: (inner as Record<string | number, unknown>)[key],
		value,
	);
}

function where(path: ReadonlyArray<string | number>): string {
	return path
		.map((key) => (typeof key === 'number' ? ` → entry ${key + 1}` : ` → ${key}`))
		.join('');
}

/** Whether a text that zod finds too long fits all the same: a character is a code point. */
const fits = (issue: ZodIssue, value: unknown) =>
	issue.code === 'too_big' && issue.type === 'string' && lengthOf(value) <= Number(issue.maximum);

/** The value with every text in it changed. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]),
	);
}

/** Stands for a text that is put aside: characters for private use, of which no text makes use. */
const mark = (number: number) => `\uE000${number}\uE001`;

/**
 * What a schema makes of a value with texts that zod finds too long although they fit: a mark goes
 * through it in place of each.
 */
function parsedAround(schema: ZodTypeAny, value: unknown, texts: readonly string[]): unknown {
	const short = mapTexts(value, (text) =>
		texts.includes(text) ? mark(texts.indexOf(text)) : text,
	);
	return mapTexts(schema.parse(short), (text) =>
		texts.reduce((whole, one, i) => whole.split(mark(i)).join(one), text),
	);
}

/** Checks a value by a field's schema; complaints name the field, the limit and what was given. */
function check(field: Field, name: string, value: unknown, complain: Complain): unknown {
	if (!field.schema) return value;
	const result = field.schema.safeParse(value);
	if (result.success) return result.data;
	const { issues } = result.error;
	const wrong = issues.filter((issue) => !fits(issue, at(value, issue.path)));
	if (wrong.length === 0) {
		const texts = issues.map(({ path }) => String(at(value, path)));
		return parsedAround(field.schema, value, texts);
	}
	for (const issue of wrong) {
		complain(`"${name}${where(issue.path)}" ${problem(issue, at(value, issue.path))}`);
	}
	return undefined;
}

/** Whether a number stands for nothing; n8n gives those of sheets and forms as text. */
const isUnset = ({ unset }: Field, value: unknown) =>
	unset !== undefined && ['number', 'string'].includes(typeof value) && Number(value) === unset;

/** Whether no choice of several is made. */
const holdsNothing = ({ type }: Field, value: unknown) =>
	type === 'multiOptions' && Array.isArray(value) && value.length === 0;

const blank = (value: unknown) => value === undefined || value === null || value === '';

/** The plain value of what may be a resource locator. */
function located(value: unknown): unknown {
	return value !== null && typeof value === 'object' && '__rl' in value
		? (value as unknown as { value?: unknown }).value
		: value;
}

/** The asset input that a file field stands for. */
function asset(raw: unknown): unknown {
	if (raw === null || typeof raw !== 'object' || !('__rl' in raw)) return raw;
	const { mode, value } = raw as unknown as { mode: string; value: unknown };
	if (mode === 'binary') return { type: 'binary', field: value };
	return mode === 'url' ? { type: 'url', url: value } : { type: 'asset_id', asset_id: value };
}

function converted(field: Field, name: string, raw: unknown, complain: Complain): unknown {
	if (field.asset) return asset(raw);
	const value = located(raw);
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
			return typeof value === 'string'
				? value
						// A comma in parentheses is part of a name: "Chinese (Mandarin, Simplified)".
						.split(/,(?![^(]*\))/)
						.map((part) => part.trim())
						.filter((part) => part !== '')
				: value;
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
			return collected((field.options ?? []) as readonly Field[], name, value, complain);
		case 'fixedCollection':
			return grouped(field, name, value, complain);
		case 'resourceMapper':
			return mapped(value);
		default:
			return value;
	}
}

const conditions = (field: Field) => field.displayOptions?.show ?? {};

/** Whether a field of a collection is shown beside these values; a hidden one may hold anything. */
function visible(field: Field, siblings: Record<string, unknown>): boolean {
	return Object.entries(conditions(field)).every(
		([name, shownFor]) =>
			siblings[name] === undefined || (shownFor as readonly unknown[]).includes(siblings[name]),
	);
}

/** The fields of a collection that the user filled. */
function collected(
	fields: readonly Field[],
	name: string,
	value: unknown,
	complain: Complain,
): unknown {
	if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
	const given = value as Record<string, unknown>;
	const result: Record<string, unknown> = {};
	for (const field of fields) {
		if (!visible(field, given)) continue;
		const inner = decode(field, given[field.name], complain, name);
		if (inner !== undefined) result[field.name] = inner;
	}
	return result;
}

/**
 * A fixed collection with one group is the group itself: a list where it takes several entries,
 * an object where it takes one. With several groups it is an object of groups.
 */
function grouped(field: Field, name: string, value: unknown, complain: Complain): unknown {
	if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
	const given = value as Record<string, unknown>;
	const groups = (field.options ?? []) as ReadonlyArray<{ name: string; values: readonly Field[] }>;
	const many = field.typeOptions?.multipleValues === true;
	const read = ({ name: group, values }: (typeof groups)[number]): unknown => {
		const entry = given[group];
		if (many) {
			const entries = entry === undefined ? [] : Array.isArray(entry) ? entry : [entry];
			return entries.map((one, i) => collected(values, `${name} → entry ${i + 1}`, one, complain));
		}
		return entry === undefined ? undefined : collected(values, name, entry, complain);
	};
	const [only, ...others] = groups;
	if (only && others.length === 0) {
		const result = read(only);
		return Array.isArray(result) && result.length === 0 ? undefined : result;
	}
	return Object.fromEntries(groups.map((group) => [group.name, read(group)]));
}

/** The fields of a resource mapper that the user filled; n8n holds null for those left alone. */
function mapped(value: unknown): unknown {
	if (value === null || typeof value !== 'object' || !('mappingMode' in value)) return value;
	const { value: given } = value as { value?: Record<string, unknown> | null };
	const filled = Object.entries(given ?? {}).filter(([, one]) => !blank(one));
	return Object.fromEntries(filled);
}

/** One field's value, converted and checked; undefined where it is unset or wrong. */
function decode(field: Field, raw: unknown, complain: Complain, parent?: string): unknown {
	const name = parent === undefined ? field.displayName : `${parent} → ${field.displayName}`;
	if (blank(located(raw)) || isUnset(field, raw) || holdsNothing(field, raw)) {
		if (field.required) complain(`"${name}" is required`);
		return undefined;
	}
	let wrong = false;
	const value = converted(field, name, raw, (complaint) => {
		wrong = true;
		complain(complaint);
	});
	if (wrong) return undefined;
	if (value === undefined) {
		if (field.required) complain(`"${name}" is required`);
		return undefined;
	}
	return check(field, name, value, complain);
}

/** Checked values of one item, and what is wrong with them. An empty list means that all is well. */
export interface Checked {
	values: IDataObject;
	complaints: Complaint[];
}

/** Stands for a field that n8n hides for the item: no expression gives this, but one may give null. */
const hidden = '\0hidden';

/** Reads and checks all fields of an operation for one item. Nothing has been sent yet. */
export function readValues(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	fields: readonly Field[],
	options: readonly Field[],
	itemIndex: number,
): Checked {
	const values: Record<string, unknown> = {};
	const complaints = new Map<string, Complaint[]>();
	const read = (field: Field, raw: unknown) => {
		const own: Complaint[] = [];
		complaints.set(field.name, own);
		const value = decode(field, raw, (complaint) => own.push(complaint));
		if (value !== undefined) values[field.name] = value;
	};
	// n8n shows a field whose choice is an expression, whatever that gives: here it gives one value.
	const choices = new Set(fields.flatMap((field) => Object.keys(conditions(field))));
	const fits = (field: Field) =>
		Object.entries(conditions(field)).every(([name, shownFor]) =>
			(shownFor as readonly unknown[]).includes(values[name]),
		);
	const dependent = (field: Field) => field.displayOptions !== undefined;
	for (const field of [...fields].sort((a, b) => Number(dependent(a)) - Number(dependent(b)))) {
		const raw = n8n.getNodeParameter(field.name, itemIndex, hidden) as unknown;
		if (dependent(field) && (raw === hidden || !fits(field))) continue;
		const chooses = choices.has(field.name) && raw !== hidden;
		read(chooses ? { ...field, required: true } : field, raw === hidden ? undefined : raw);
	}
	for (const [name, part] of inCollections(options)) {
		const chosen = n8n.getNodeParameter(name, itemIndex, {}) as IDataObject;
		for (const field of part) read(field, chosen[field.name]);
	}
	return {
		values: values as IDataObject,
		complaints: [...fields, ...options].flatMap(({ name }) => complaints.get(name) ?? []),
	};
}
