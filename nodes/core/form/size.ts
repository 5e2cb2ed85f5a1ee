/**
 * Limits the size of form values before they are processed. An expression may return a huge text
 * from a public form, and validating it would block n8n.
 */
import { getSchema, type Field } from './field';
import { getMaxTextLength } from './text';
import { countCharacters, formatNumber } from './validation';

/**
 * Maximum number of characters in each text of a JSON value. This is enough for a 32 MB file as
 * base64 text (docs/service.md, Limits).
 */
const maxJsonLength = 50_000_000;

/**
 * Maximum nesting depth of objects and lists in a value. Deeper values could overflow the stack.
 */
const maxValueLevels = 100;

/** Types of fields whose values are objects or lists: JSON, or the values of other fields. */
const containerTypes = ['json', 'collection', 'fixedCollection', 'resourceMapper'];

/**
 * Whether a value is a date object. Such a value becomes text, so its inner properties are not
 * measured.
 */
const isDate = (value: object) => 'toJSON' in value && typeof value.toJSON === 'function';

/**
 * Returns an error if a form value is too large or too deeply nested: the rest of a sentence that
 * begins with the name of the field. Returns `undefined` otherwise.
 */
export function findSizeProblem(field: Field, value: unknown): string | undefined {
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
		if (level === maxValueLevels)
			return `must have at most ${maxValueLevels} levels of objects and lists`;
		for (const inner of Object.values(part)) unread.push({ part: inner, level: level + 1 });
	}
	return undefined;
}
