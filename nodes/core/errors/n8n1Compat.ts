/**
 * Detects n8n 1 and converts error items to the format that n8n 1 expects. n8n does not report its
 * version to nodes, so the detection relies on a function that only n8n 2 provides. See also
 * http/sendWithRetries.ts (renewal of access tokens) and suspend/suspendExecution.ts (sub-workflows).
 */
import {
	jsonParse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { isObject, readText } from '../json';

export const isN8n1 = (n8n: object) => !('isToolExecution' in n8n);

function renderDetailsAsText({ json: { details } }: INodeExecutionData): string {
	const { description, ...rest } = details as { description?: unknown };
	const known = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
	const lines = known.map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
	return [description, ...lines].filter(Boolean).join('\n');
}

/** Parses the error details that `adaptErrorOutput` has written as text. */
export function parseDetailsText(text: string): IDataObject | undefined {
	const lines = [...text.matchAll(/^(\w+): (.+)$/gm)];
	const details = lines.map(([, name = '', value = '']): [string, IDataObject | null] => [
		name,
		jsonParse<IDataObject | null>(value, { fallbackValue: null }),
	]);
	const known = details.filter(([, value]) => value !== null);
	return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Returns the details in the JSON of an error item, or undefined for any other item. */
export function readErrorItemDetails({
	error,
	details,
	message,
}: IDataObject): IDataObject | undefined {
	if (readText(error) === undefined) return undefined;
	return isObject(details) ? details : parseDetailsText(readText(message) ?? '');
}

/**
 * Converts error items to the format of n8n 1, which sends an item to the error output only if its
 * JSON has no keys other than `error` and `message`. The details become text in `message`.
 */
export function adaptErrorOutput(
	n8n: Pick<IExecuteFunctions, 'getNode'>,
	outputs: INodeExecutionData[][],
): INodeExecutionData[][] {
	if (n8n.getNode().onError !== 'continueErrorOutput' || !isN8n1(n8n)) return outputs;
	const isErrorItem = ({ json }: INodeExecutionData) =>
		Object.keys(json).sort().join() === 'details,error';
	return outputs.map((items) =>
		items.map((item) =>
			isErrorItem(item)
				? { ...item, json: { error: item.json.error, message: renderDetailsAsText(item) || '-' } }
				: item,
		),
	);
}
