/** Values against their schemas; what is wrong with them, in words. */
import type { RefinementCtx, ZodIssue, ZodTypeAny } from 'zod';
import { mapTexts } from '../json';
import { getSchema, type Field } from './field';

/** What is wrong with a value: a sentence that names the field as the user sees it. */
export type Problem = string;

/** Told of complaints. */
export type ReportProblem = (complaint: Problem) => void;

/**
 * What a schema finds wrong by a rule of its own.
 *
 * @param message the rest of a sentence that begins with the name of the field
 * @param path where in the value it is
 */
export const addProblem = (context: RefinementCtx, message: string, path: string[] = []) =>
	context.addIssue({ code: 'custom', path, message });

/** A number in a sentence. */
export const formatNumber = (n: number | bigint) => n.toLocaleString('en-US');

/** A value as it may be shown in a message: short, and on one line. */
function showValue(value: unknown): string {
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
export const countCharacters = (value: unknown) =>
	typeof value === 'string' ? [...value].length : 0;

const describeType = (type: string) => typeNames[type] ?? type;

/** The rest of a sentence that begins with the name of the field. */
function describeIssue(issue: ZodIssue, value: unknown): string {
	switch (issue.code) {
		case 'too_big':
		case 'too_small': {
			const most = issue.code === 'too_big';
			const bound = Number(most ? issue.maximum : issue.minimum);
			const side = most ? 'at most' : 'at least';
			if (issue.type === 'string') {
				const length = countCharacters(value);
				return `must have ${side} ${formatNumber(bound)} characters, but has ${formatNumber(length)}`;
			}
			if (issue.type === 'array') {
				const length = Array.isArray(value) ? value.length : 0;
				return `must have ${side} ${formatNumber(bound)} entries, but has ${formatNumber(length)}`;
			}
			const open = issue.inclusive ? side : most ? 'less than' : 'more than';
			return `must be ${open} ${formatNumber(bound)}, but is ${showValue(value)}`;
		}
		case 'invalid_enum_value':
		case 'invalid_union_discriminator':
			return `must be one of ${issue.options.map(String).join(', ')}, but is ${showValue(value)}`;
		case 'invalid_type':
			if (issue.received === 'undefined') return 'is required';
			return `must be ${describeType(issue.expected)}, but is ${describeType(issue.received)}: ${showValue(value)}`;
		case 'invalid_string':
			if (issue.validation === 'url') {
				return `must be a full web address such as https://example.com/file, but is ${showValue(value)}`;
			}
			return `${issue.message}, but is ${showValue(value)}`;
		case 'not_multiple_of':
			return `must be a multiple of ${issue.multipleOf}, but is ${showValue(value)}`;
		default:
			return issue.message;
	}
}

function getAtPath(value: unknown, path: ReadonlyArray<string | number>): unknown {
	return path.reduce<unknown>(
		(inner, key) =>
			inner === null || typeof inner !== 'object'
				? undefined
				: (inner as Record<string | number, unknown>)[key],
		value,
	);
}

function describePath(path: ReadonlyArray<string | number>): string {
	return path
		.map((key) => (typeof key === 'number' ? ` → entry ${key + 1}` : ` → ${key}`))
		.join('');
}

/** Whether a text that zod finds too long fits all the same: a character is a code point. */
const fitsInCharacters = (issue: ZodIssue, value: unknown) =>
	issue.code === 'too_big' &&
	issue.type === 'string' &&
	countCharacters(value) <= Number(issue.maximum);

/** Stands for a text that is put aside: characters for private use, of which no text makes use. */
const placeholderFor = (number: number) => `\uE000${number}\uE001`;

/**
 * What a schema makes of a value with texts that zod finds too long although they fit: a mark goes
 * through it in place of each.
 */
function parseWithPlaceholders(
	schema: ZodTypeAny,
	value: unknown,
	texts: readonly string[],
): unknown {
	const short = mapTexts(value, (text) =>
		texts.includes(text) ? placeholderFor(texts.indexOf(text)) : text,
	);
	return mapTexts(schema.parse(short), (text) =>
		texts.reduce((whole, one, i) => whole.split(placeholderFor(i)).join(one), text),
	);
}

/** Checks a value by a field's schema; complaints name the field, the limit and what was given. */
export function validateField(
	field: Field,
	name: string,
	value: unknown,
	complain: ReportProblem,
): unknown {
	const schema = getSchema(field);
	if (!schema) return value;
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const { issues } = result.error;
	const wrong = issues.filter((issue) => !fitsInCharacters(issue, getAtPath(value, issue.path)));
	if (wrong.length === 0) {
		const texts = issues.map(({ path }) => String(getAtPath(value, path)));
		return parseWithPlaceholders(schema, value, texts);
	}
	for (const issue of wrong) {
		complain(
			`"${name}${describePath(issue.path)}" ${describeIssue(issue, getAtPath(value, issue.path))}`,
		);
	}
	return undefined;
}
