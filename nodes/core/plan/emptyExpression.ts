/** Explains why an expression has no value: usually, it refers to a field by the wrong name. */
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { isObject } from '../json';

const maxNames = 5;
/** Maximum length of an expression or a field name, in characters. */
const maxLength = 60;

function findExpression(parameter: NodeParameterValueType | undefined): string | undefined {
	const value = isObject(parameter) && '__rl' in parameter ? parameter.value : parameter;
	return typeof value === 'string' && value.startsWith('=') ? value.slice(1) : undefined;
}

const shorten = (text: string) =>
	text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

/** `lookId`, `look_id` and `Look ID` become `look` and `id`. */
const splitIntoWords = (name: string) =>
	name
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u);

/** Words that many names contain. */
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
 * Quotes the expression that has no value, and lists the fields that the item has, those with similar
 * names first. Returns an empty string for a fixed value.
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
	const similar = findSimilarNames(expression, label, listNames(json));
	const names = [...new Set([...similar, ...Object.keys(json)])];
	const listed = names.slice(0, maxNames).map(shorten);
	const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
	const hint = listed.length === 0 ? 'has no fields' : `has ${listed.join(', ')}${more}`;
	return `Its expression ${shorten(expression)} gave nothing; the row ${hint}`;
}
