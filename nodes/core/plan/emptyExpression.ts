/** Explains why an expression has no value: usually, the item has the field under another name. */
import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { isObject } from '../json';

/** Maximum number of field names that an explanation lists. */
const maxNames = 5;
/** Maximum length of an expression or a name in an explanation, in characters. */
const maxLength = 60;

/** Returns the expression in a parameter or resource locator, without its leading `=`. */
function findExpression(parameter: NodeParameterValueType | undefined): string | undefined {
	const value = isObject(parameter) && '__rl' in parameter ? parameter.value : parameter;
	return typeof value === 'string' && value.startsWith('=') ? value.slice(1) : undefined;
}

const shorten = (text: string) =>
	text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

/** Reduces a field name to its letters and digits, so that `lookId` and `look_id` are equal. */
const simplifyName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const isSimilar = (one: string, other: string) => one.includes(other) || other.includes(one);

/** Returns the names of the item's fields that resemble a name in the expression. */
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
 * Explains an empty required value: which expression is empty, and which fields the item has
 * instead. Returns an empty string if the value is no expression.
 *
 * @param parameter value as n8n stores it, before its expression is resolved
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
