/** Validates form values with their fields' schemas, and describes each problem for the user. */
import { type RefinementCtx, type ZodIssue, z, type ZodTypeAny } from 'zod';
import { readAtPath } from '../json';
import { getSchema, acceptsUnlistedValues, type Field } from './field';

/** Sentence for the user that names a field and says what is wrong with its value. */
export type ValidationProblem = string;

/**
 * Callback that receives a description of each problem with a value.
 *
 * @param isHint whether the value is used despite the problem
 */
export type ProblemReporter = (problem: ValidationProblem, isHint?: true) => void;

/**
 * Reports a problem with a value from inside a schema.
 *
 * @param message rest of a sentence that begins with the name of the field, such as `must be a
 * date`
 * @param path keys that lead to the invalid part of the value
 */
export const addSchemaIssue = (context: RefinementCtx, message: string, path: string[] = []) =>
	context.addIssue({ code: 'custom', path, message });

export function rejectRepeatedNames(
	entries: ReadonlyArray<{ name: string }>,
	context: RefinementCtx,
): void {
	const names = entries.map(({ name }) => name);
	const repeated = names.find((name, i) => names.indexOf(name) !== i);
	if (repeated !== undefined) addSchemaIssue(context, `has "${repeated}" twice`);
}

/** Formats a number with thousands separators, such as `10,000`. */
export const formatNumber = (n: number | bigint) => n.toLocaleString('en-US');

/** Formats a limit for the description of a field, such as `1 to 10,000`. */
export const formatRange = ({ min, max }: { readonly min: number; readonly max: number }) =>
	`${formatNumber(min)} to ${formatNumber(max)}`;

const maxFormattedLength = 1000;

/** Formats a value for an error message, in one line of at most 60 characters. */
export function formatValue(value: unknown): string {
	const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? String(value));
	const line = text.slice(0, maxFormattedLength).replace(/\s+/g, ' ');
	return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

const typeNames: Record<string, string> = {
	string: 'text',
	number: 'a number',
	integer: 'a whole number',
	float: 'a decimal number',
	boolean: 'true or false',
	array: 'a list',
	object: 'an object',
	nan: 'not a number',
	null: 'empty',
	undefined: 'missing',
	date: 'a date',
};

/** Counts the characters of a text. An emoji counts as one, unlike in the string's `length`. */
export const countCharacters = (value: unknown) =>
	typeof value === 'string' ? value.replace(/[\u{10000}-\u{10FFFF}]/gu, '.').length : 0;

const describeType = (type: string) => typeNames[type] ?? type;

/** Describes a problem to append to the field's name, such as `must be at least 1, but is 0`. */
function describeIssue(issue: ZodIssue, value: unknown): string {
	switch (issue.code) {
		case 'too_big':
		case 'too_small': {
			const isMaximum = issue.code === 'too_big';
			const bound = formatNumber(Number(isMaximum ? issue.maximum : issue.minimum));
			const limit = `${isMaximum ? 'at most' : 'at least'} ${bound}`;
			if (issue.type === 'string') {
				const length = formatNumber(countCharacters(value));
				return `must have ${limit} ${bound === '1' ? 'character' : 'characters'}, but has ${length}`;
			}
			if (issue.type === 'array') {
				const length = formatNumber(Array.isArray(value) ? value.length : 0);
				return `must have ${limit} ${bound === '1' ? 'entry' : 'entries'}, but has ${length}`;
			}
			const exclusiveLimit = `${isMaximum ? 'less than' : 'more than'} ${bound}`;
			return `must be ${issue.inclusive ? limit : exclusiveLimit}, but is ${formatValue(value)}`;
		}
		case 'invalid_enum_value':
		case 'invalid_union_discriminator':
			return `must be one of ${issue.options.map(String).join(', ')}, but is ${formatValue(value)}`;
		case 'invalid_type':
			if (issue.received === 'undefined') return 'is required';
			return `must be ${describeType(issue.expected)}, but is ${describeType(issue.received)}: ${formatValue(value)}`;
		case 'invalid_string':
			if (issue.validation === 'url') {
				return `must be a full URL such as https://example.com/file, but is ${formatValue(value)}`;
			}
			return `${issue.message}, but is ${formatValue(value)}`;
		case 'not_multiple_of':
			return `must be a multiple of ${issue.multipleOf}, but is ${formatValue(value)}`;
		default:
			return issue.message;
	}
}

function describePath(path: ReadonlyArray<string | number>): string {
	return path
		.map((key) => (typeof key === 'number' ? ` → entry ${key + 1}` : ` → ${key}`))
		.join('');
}

/** Maximum characters of a value that is not in a dropdown list. The service's are shorter. */
const maxUnlistedLength = 100;

/** Whether the only problem with a value is that it is not in its field's list. */
const isUnlisted = (field: Field, value: unknown, issues: readonly ZodIssue[]) =>
	acceptsUnlistedValues(field) &&
	issues.every(({ code }) => code === 'invalid_enum_value') &&
	[value].flat().every((one) => typeof one === 'string' && one.length <= maxUnlistedLength);

/**
 * Returns the value as transformed by the schema, or reports the value's problems.
 *
 * @param name displayed name of the field, preceded by the name of its collection
 */
export function parseFieldValue(
	field: Field,
	name: string,
	value: unknown,
	reportProblem: ProblemReporter,
): unknown {
	const schema = getSchema(field);
	if (!schema) return value;
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	if (isUnlisted(field, value, result.error.issues)) {
		const unlisted = result.error.issues.map(({ path }) => formatValue(readAtPath(value, path)));
		reportProblem(
			`"${name}" has a value that this version of the node does not list: ${unlisted.join(', ')}. It is sent to the service, which decides whether it is valid.`,
			true,
		);
		return value;
	}
	for (const issue of result.error.issues) {
		const problem = describeIssue(issue, readAtPath(value, issue.path));
		reportProblem(`"${name}${describePath(issue.path)}" ${problem}`);
	}
	return undefined;
}

/** Maximum characters of a text in JSON, enough for 32 MB in Base64 (service.md, Limits). */
const maxJsonLength = 50_000_000;

/** Maximum nesting levels of a value. Deeper values could overflow the stack. */
const maxValueLevels = 100;

const tooManyLevels = `must have at most ${maxValueLevels} levels of objects and lists`;

const startsTooDeep = new RegExp(`^(?:\\s*[[{]){${maxValueLevels + 1}}`);

/**
 * Detects JSON that is nested too deeply, without parsing it: 500,000 levels would take 0.2
 * seconds. Returns text to put after the field's name in an error message.
 */
export const findNestingProblem = (json: string): string | undefined =>
	startsTooDeep.test(json) ? tooManyLevels : undefined;

/** Types of fields whose values are JSON or contain the values of other fields. */
const containerTypes = ['json', 'collection', 'fixedCollection', 'resourceMapper'];

/** Whether an object is a date. Dates are sent as text, so their properties are not checked. */
const isDate = (value: object) => 'toJSON' in value && typeof value.toJSON === 'function';

/** If a value is too large or too deeply nested, returns text to append to the field's name. */
export function findOversizeProblem(field: Field, value: unknown): string | undefined {
	const isContainer = containerTypes.includes(field.type);
	const maxLength = isContainer ? maxJsonLength : getMaxTextLength(getSchema(field));
	const unread: Array<{ part: unknown; level: number }> = [{ part: value, level: 0 }];
	for (let next = unread.pop(); next; next = unread.pop()) {
		const { part, level } = next;
		if (typeof part === 'string' && part.length > maxLength) {
			const length = countCharacters(part);
			if (length > maxLength) {
				return `must have at most ${formatNumber(maxLength)} characters, but has ${formatNumber(length)}`;
			}
		}
		if (part === null || typeof part !== 'object' || isDate(part)) continue;
		if (level === maxValueLevels) return tooManyLevels;
		for (const inner of Object.values(part)) unread.push({ part: inner, level: level + 1 });
	}
	return undefined;
}

/** Limits on the length of a text, in characters. */
export interface TextLengthLimits {
	readonly min: number;
	readonly max: number;
}

/**
 * Creates the schema for a string of limited length. Further rules on the schema run only if the
 * length is valid, because matching a pattern against a huge text could be very slow.
 *
 * @param limits `min` defaults to 1, because forms never send empty strings
 */
export const createTextSchema = ({ min = 1, max }: Partial<TextLengthLimits> & { max: number }) =>
	Object.assign(
		z.string().superRefine((value, context) => {
			const length = countCharacters(value);
			// Zod skips later refinements only after a fatal problem.
			const rest = { type: 'string', inclusive: true, fatal: true } as const;
			if (length < min) context.addIssue({ code: 'too_small', minimum: min, ...rest });
			if (length > max) context.addIssue({ code: 'too_big', maximum: max, ...rest });
		}),
		{ bounds: { min, max } as TextLengthLimits },
	);

/** Limits on a number. `above` is an exclusive minimum. */
export interface NumberLimits {
	readonly min?: number;
	readonly above?: number;
	readonly max?: number;
	readonly multipleOf?: number;
}

/** Creates the schema of a number. The schema checks every limit that is set. */
export function createNumberSchema({ min, above, max, multipleOf }: NumberLimits): z.ZodNumber {
	let schema = z.number();
	if (min !== undefined) schema = schema.min(min);
	if (above !== undefined) schema = schema.gt(above);
	if (max !== undefined) schema = schema.max(max);
	return multipleOf === undefined ? schema : schema.multipleOf(multipleOf);
}

/** Schema for an ID. Expressions often return IDs with spaces or a line break around them. */
export const idSchema = z.string().regex(/\S/, 'must not consist of spaces').trim();

/** Default maximum characters of a text: a huge one would slow down other executions. */
const defaultMaxTextLength = 1_000_000;

export function getMaxTextLength(schema: ZodTypeAny | undefined): number {
	const limits = schema && getTextSchemaLimits(schema);
	if (limits) return limits.max;
	if (schema instanceof z.ZodEffects) return getMaxTextLength(schema.innerType() as ZodTypeAny);
	if (schema instanceof z.ZodPipeline) return getMaxTextLength(schema._def.in as ZodTypeAny);
	return defaultMaxTextLength;
}

/** Returns the length limits of a schema from `createTextSchema`, which Zod does not expose. */
export const getTextSchemaLimits = (schema: ZodTypeAny): TextLengthLimits | undefined =>
	'bounds' in schema ? (schema.bounds as TextLengthLimits) : undefined;
