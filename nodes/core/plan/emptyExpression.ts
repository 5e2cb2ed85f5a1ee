/**
 * Explains to the user why an expression has no value. Usually, the expression refers to a field by
 * the wrong name.
 */
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { isObject } from '../json';

/** Maximum number of field names that the explanation of an empty expression lists. */
const maxNames = 5;
/** Maximum length of an expression or a field name in an error message, in characters. */
const maxLength = 60;

/**
 * Returns the expression that the user has entered in a form field, without its leading `=`.
 * Returns undefined if the field contains a fixed value.
 */
function findExpression(parameter: NodeParameterValueType | undefined): string | undefined {
	const value = isObject(parameter) && '__rl' in parameter ? parameter.value : parameter;
	return typeof value === 'string' && value.startsWith('=') ? value.slice(1) : undefined;
}

const shorten = (text: string) =>
	text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

/**
 * Reduces a field name to lowercase letters and digits, so that `lookId` and `look_id` count as the
 * same name.
 */
const simplifyName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** Splits a name into lowercase words: `lookId`, `look_id` and `Look ID` become `look` and `id`. */
const splitIntoWords = (name: string) =>
	name
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u);

/** Words to ignore when names are compared, because many names contain them. */
const vagueWords = new Set(['', 'id', 'ids', 'json', 'item', 'body', 'url', 'type']);

/**
 * Returns the names of an item's fields, followed by the paths of fields inside its objects, such
 * as `body.look_id`.
 */
const listNames = (json: IDataObject) => [
	...Object.keys(json),
	...Object.entries(json).flatMap(([name, value]) =>
		isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [],
	),
];

/** Returns the names of item fields that resemble the expression or the name of the form field. */
function findSimilarNames(expression: string, label: string, names: readonly string[]): string[] {
	const identifiers = [...expression.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)].map(([word]) => word);
	const searchedNames = identifiers
		.map(simplifyName)
		.filter((name) => name.length > 1 && !vagueWords.has(name));
	const searchedWords = new Set([...identifiers, label].flatMap(splitIntoWords));
	return names.filter((path) => {
		const name = path.slice(path.lastIndexOf('.') + 1);
		const simple = simplifyName(name);
		const isPart = (one: string) => one.includes(simple) || simple.includes(one);
		return (
			(simple.length > 1 && searchedNames.some(isPart)) ||
			splitIntoWords(name).some((word) => searchedWords.has(word) && !vagueWords.has(word))
		);
	});
}

/**
 * Explains why a required field is empty: quotes the expression that has no value, and lists the
 * fields that the item does have. Returns an empty string if the field contains no expression.
 *
 * @param parameter value as n8n stores it, with the expression not yet evaluated
 * @param label name of the field in the form
 */
export function explainEmptyExpression(
	parameter: NodeParameterValueType | undefined,
	json: IDataObject,
	label: string,
): string {
	const expression = findExpression(parameter)?.trim();
	if (expression === undefined) return '';
	const similar = findSimilarNames(expression, label, listNames(json));
	const listed = (similar.length > 0 ? similar : Object.keys(json)).slice(0, maxNames).map(shorten);
	const hint = listed.length === 0 ? 'has no fields' : `has ${listed.join(', ')}`;
	return `, but ${shorten(expression)} is empty for this item, which ${hint}`;
}
