/**
 * Limits the size of form values before anything reads them. An expression may return a huge text
 * from a public form, and patterns, schemas and conversions would block n8n while they read it.
 */
import { getSchema, type Field } from './field';
import { getMaxTextLength } from './text';
import { countCharacters, formatNumber } from './validation';

/**
 * Maximum number of characters of each text in JSON. Enough for a file of 32 MB as base64 text
 * (docs/service.md, Limits).
 */
const maxJsonLength = 50_000_000;

/** Maximum number of levels of nested objects and lists. More could overflow the stack. */
const maxValueLevels = 100;

/** Types of fields whose values contain the values of other fields, or JSON of any kind. */
const containerTypes = ['json', 'collection', 'fixedCollection', 'resourceMapper'];

/** Whether a value is a date, which becomes text. Its own levels do not count. */
const isDate = (value: object) => 'toJSON' in value && typeof value.toJSON === 'function';

/**
 * Returns what is wrong with the size of a value: the rest of a sentence that begins with the name
 * of the field. Returns `undefined` if the value is small enough.
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
