/** Copies the fields of input items to the output items, for Include Input Fields. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject, readObject, readText } from '../json';
import { isAgentTool } from '../plan/agentTool';

type InputReader = Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'getNodeParameter'>;

export function shouldIncludeInputFields(n8n: InputReader, item: number): boolean {
	if (isAgentTool(n8n)) return false;
	try {
		// An expression may return text.
		return String(n8n.getNodeParameter('options.includeInputFields', item, false)) === 'true';
	} catch {
		// The item has failed because of the same expression.
		return false;
	}
}

function hasJobReference({ job }: IDataObject): boolean {
	const { kind, id } = readObject(job);
	return readText(kind) !== undefined && readText(id) !== undefined;
}

function removeQuery(word: string): string {
	const urlStart = word.search(/https?:\/\/[^?]/);
	const queryStart = urlStart === -1 ? -1 : word.indexOf('?', urlStart);
	return queryStart === -1 ? word : word.slice(0, queryStart);
}

/** Ignores the query strings of URLs, because the signature of a file's URL differs each time. */
const toComparableText = (value: unknown) =>
	JSON.stringify(value)?.replace(/[^\s"]+/g, removeQuery);

const isEqual = (a: unknown, b: unknown) => toComparableText(a) === toComparableText(b);

/**
 * Merges an output item's JSON with its input item's. Input fields that conflict with output fields
 * move into the object `input`; what an earlier node stored there is kept.
 *
 * An input item's `error` is always moved: n8n would treat the output item as failed. If the input
 * item refers to a job, the output item's `job` and `status` replace it, and what was known about
 * its row is dropped.
 */
export function mergeInputIntoOutput(outputJson: IDataObject, inputJson: IDataObject): IDataObject {
	const { input: earlier, ...fields } = inputJson;
	const hasJob = hasJobReference(fields);
	const outdated = hasJob ? ['job', 'status'] : [];
	const rowFields = hasJob ? ['outcome', 'creation'] : [];
	const reserved = ['error'];
	if (readText(fields.error) !== undefined) reserved.push('details');
	// An error item has its job in its details.
	if (readText(outputJson.error) !== undefined) reserved.push('job');
	const isDropped = ([key]: [string, unknown]) =>
		rowFields.includes(key) || (outdated.includes(key) && Object.hasOwn(outputJson, key));
	const isConflict = ([key, value]: [string, unknown]) =>
		reserved.includes(key) || (Object.hasOwn(outputJson, key) && !isEqual(outputJson[key], value));
	const entries = Object.entries(fields).filter((entry) => !isDropped(entry));
	const conflicts = Object.fromEntries(entries.filter(isConflict));
	const unchanged = Object.fromEntries(entries.filter((entry) => !isConflict(entry)));
	return { ...unchanged, ...nestConflicts(conflicts, earlier), ...outputJson };
}

function nestConflicts(conflicts: IDataObject, earlier: IDataObject['input']): IDataObject {
	if (isObject(earlier)) return { input: { ...conflicts, ...earlier } };
	if (Object.keys(conflicts).length === 0) return earlier === undefined ? {} : { input: earlier };
	return { input: earlier === undefined ? conflicts : { ...conflicts, input: earlier } };
}

/** Adds the input item's fields and files. The output item's own take precedence. */
export function addInputFields(
	n8n: InputReader,
	item: number,
	output: INodeExecutionData,
): INodeExecutionData {
	const input = n8n.getInputData()[item];
	if (input === undefined || !shouldIncludeInputFields(n8n, item)) return output;
	const binary = { ...input.binary, ...output.binary };
	return {
		...output,
		json: mergeInputIntoOutput(output.json, input.json),
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
}
