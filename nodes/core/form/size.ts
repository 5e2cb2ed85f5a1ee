/**
 * Limits the size of form values before they are processed. An expression may return a huge text
 * from a public form, and validating it would block n8n.
 */
import { getSchema, type Field } from './field';
import { getMaxTextLength } from './text';
import { countCharacters, formatNumber } from './validation';

/** Characters of each string, enough for a 32 MB file in Base64 (docs/service.md, Limits). */
const maxJsonLength = 50_000_000;

/** Deeper values could overflow the stack. */
const maxValueLevels = 100;

const tooManyLevels = `must have at most ${maxValueLevels} levels of objects and lists`;

const startsTooDeep = new RegExp(`^(?:\\s*[[{]){${maxValueLevels + 1}}`);

/**
 * Detects deep nesting without parsing: 500,000 levels would take 0.2 seconds. Returns text to put
 * after the field's name in an error message.
 */
export const findNestingProblem = (json: string): string | undefined =>
	startsTooDeep.test(json) ? tooManyLevels : undefined;

/** Types whose values are JSON or contain the values of other fields. */
const containerTypes = ['json', 'collection', 'fixedCollection', 'resourceMapper'];

/** A date is sent as text, so its properties do not count. */
const isDate = (value: object) => 'toJSON' in value && typeof value.toJSON === 'function';

/** Returns the rest of an error message that begins with the field's name. */
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
