/**
 * Limits the size of form values before they are processed. An expression may return a huge text
 * from a public form, and validating it would block n8n.
 */
import { getSchema, type Field } from './field';
import { getMaxTextLength } from './text';
import { countCharacters, formatNumber } from './validation';

/**
 * Maximum length of each string in a JSON value, in characters. This is enough for a 32 MB file
 * encoded as Base64 (docs/service.md, Limits).
 */
const maxJsonLength = 50_000_000;

/**
 * Maximum nesting depth of objects and lists in a value. Deeper values could overflow the stack.
 */
const maxValueLevels = 100;

const tooManyLevels = `must have at most ${maxValueLevels} levels of objects and lists`;

/** Matches JSON that begins with more opening brackets than the maximum nesting depth. */
const startsTooDeep = new RegExp(`^(?:\\s*[[{]){${maxValueLevels + 1}}`);

/**
 * Detects JSON that begins with too many nested objects and lists, without parsing it, because
 * parsing very deep JSON is slow (0.2 seconds for 500,000 levels). Returns text to put after the
 * field's name in an error message, or `undefined` if there is no problem.
 */
export const findNestingProblem = (json: string): string | undefined =>
	startsTooDeep.test(json) ? tooManyLevels : undefined;

/** Field types whose values are JSON or contain the values of other fields. */
const containerTypes = ['json', 'collection', 'fixedCollection', 'resourceMapper'];

/**
 * Whether a value is a date object. A date is sent as text, so its properties do not count toward
 * the size of the form value.
 */
const isDate = (value: object) => 'toJSON' in value && typeof value.toJSON === 'function';

/**
 * Checks the size and nesting depth of a form value. If either is too large, returns the rest of an
 * error message that begins with the field's name. Otherwise, returns `undefined`.
 */
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
