/**
 * Explains to the user why an expression has no value. Usually, the expression refers to a field by
 * the wrong name.
 */
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { isObject } from '../json';

/** Maximum number of field names that an explanation lists. */
const maxNames = 5;
/** Maximum length of an expression or a name in an explanation, in characters. */
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

const isSimilar = (one: string, other: string) => one.includes(other) || other.includes(one);

/** Returns the names of item fields that resemble a name used in the expression. */
function findSimilarNames(expression: string, names: readonly string[]): string[] {
	const wanted = [...expression.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)]
		.map(([word]) => simplifyName(word))
		.filter((word) => word.length > 1 && word !== 'json');
	return names.filter((name) => {
		const simple = simplifyName(name);
		return simple.length > 1 && wanted.some((word) => isSimilar(word, simple));
	});
}

/**
 * Explains why a required field is empty: quotes the expression that has no value, and lists the
 * fields that the item does have. Returns an empty string if the field contains no expression.
 *
 * @param parameter value as n8n stores it, with the expression not yet evaluated
 */
export function explainEmptyExpression(
	parameter: NodeParameterValueType | undefined,
	json: IDataObject,
): string {
	const expression = findExpression(parameter)?.trim();
	if (expression === undefined) return '';
	const names = Object.keys(json);
	const similar = findSimilarNames(expression, names);
	const listed = (similar.length > 0 ? similar : names).slice(0, maxNames).map(shorten);
	const hint = listed.length === 0 ? 'has no fields' : `has ${listed.join(', ')}`;
	return `, but ${shorten(expression)} is empty for this item, which ${hint}`;
}
