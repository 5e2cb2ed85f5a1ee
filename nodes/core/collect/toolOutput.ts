/**
 * Shortens the output of an AI agent's tool, because long outputs push earlier messages out of the
 * language model's context. IDs are never removed.
 */
import type {
	GenericValue,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { getErrorDetails } from '../errors/errorDetails';
import { getErrorTextParts, type NodeError } from '../errors/nodeErrors';
import { describeJobKind, toJobReference, type Job, type TimedOutOutcome } from '../jobs/types';
import { isObject, filterEntries } from '../json';
import { omitRedundantId } from './itemResult';

/** Maximum characters of a tool's JSON output, for several items (`list`) or one (`single`). */
const maxCharacters = { list: 3_500, single: 8_000 };

type Json = GenericValue | IDataObject | GenericValue[] | IDataObject[];

interface Truncation {
	/** Maximum characters of each string in a tool's output. */
	text: number;
	/** Maximum number of entries in each list of a tool's output. */
	entries: number;
	/** Maximum nesting levels of objects and lists in a tool's output. */
	depth: number;
	/** Whether URLs are kept. If not, they are removed, because a shortened URL would be useless. */
	urls: boolean;
}

/** Ways to shorten output, from lenient to strict. The first one that suffices is used. */
const truncations: readonly Truncation[] = [
	{ text: Infinity, entries: Infinity, depth: Infinity, urls: true },
	{ text: 500, entries: 20, depth: 3, urls: true },
	{ text: 200, entries: 10, depth: 2, urls: true },
	{ text: 80, entries: 5, depth: 1, urls: false },
	{ text: 40, entries: 5, depth: 1, urls: false },
];

const isId = (key: string) => /(^|_)ids?$/.test(key);
const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value);

const isEmptyValue = (value: unknown) =>
	value === undefined ||
	value === null ||
	value === '' ||
	(typeof value === 'object' && Object.keys(value).length === 0);

function truncateText(value: string, { text, urls }: Truncation): string | undefined {
	if (isUrl(value)) return urls ? value : undefined;
	const more = value.length - text;
	if (more <= 0) return value;
	return `${value.slice(0, text)}…${text < 100 ? '' : ` (${more} more characters)`}`;
}

function truncateList(list: readonly unknown[], limits: Truncation): Json {
	const entries = limits.depth < 1 ? 0 : limits.entries;
	const truncated = list.map((entry, i) => {
		if (i < entries) return truncateValue(entry, { ...limits, depth: limits.depth - 1 });
		return typeof entry === 'object' ? truncateValue(entry, { ...limits, depth: 0 }) : undefined;
	});
	const nonEmpty = truncated.filter((entry) => !isEmptyValue(entry));
	const more = list.length - Math.max(nonEmpty.length, entries);
	return [...nonEmpty, ...(entries > 0 && more > 0 ? [`… (${more} more)`] : [])] as GenericValue[];
}

function truncateValue(value: unknown, limits: Truncation): Json | undefined {
	if (typeof value === 'string') return truncateText(value, limits);
	if (Array.isArray(value)) return truncateList(value, limits);
	return isObject(value) ? truncateObject(value, limits) : (value as GenericValue);
}

function truncateObject(json: IDataObject, limits: Truncation): IDataObject {
	const inner = { ...limits, depth: limits.depth - 1 };
	const entries = Object.entries(json).flatMap(([key, value]): Array<[string, Json]> => {
		if (isEmptyValue(value)) return [];
		if (isId(key)) return [[key, value]];
		if (limits.depth < 1 && typeof value !== 'object') return [];
		const truncated = truncateValue(value, inner);
		return truncated === undefined || isEmptyValue(truncated) ? [] : [[key, truncated]];
	});
	return Object.fromEntries(entries);
}

/** Changes the JSON of all items except error items, whose keys n8n checks. */
const mapJson = (items: INodeExecutionData[], change: (json: IDataObject) => IDataObject) =>
	items.map((item) =>
		typeof item.json.error === 'string' ? item : { ...item, json: change(item.json) },
	);

const repeatedCallNote =
	'This is the result of your earlier call with the same values: nothing new was created or charged. Change a value to create another result.';

/** Shortens items until their JSON is within the limit for the output of a tool. */
function truncateItems(items: INodeExecutionData[]): INodeExecutionData[] {
	const isSingle = items.length === 1;
	const limit = isSingle ? maxCharacters.single : maxCharacters.list;
	let truncated = items;
	for (const truncation of truncations) {
		// The URLs of a single item are kept, because the model has asked for that item.
		const limits = { ...truncation, urls: truncation.urls || isSingle };
		truncated = mapJson(items, (json) => truncateObject(omitRedundantId(json), limits));
		if (JSON.stringify(truncated.map(({ json }) => json)).length <= limit) break;
	}
	return truncated;
}

/** Removes all fields that the user has not selected, except IDs. */
function selectFields(items: INodeExecutionData[], names: string): INodeExecutionData[] {
	const selected = new Set(names.split(',').map((name) => name.trim()));
	return mapJson(items, (json) => filterEntries(json, (_, key) => isId(key) || selected.has(key)));
}

/** Returns a tool's output in the format set by the user, or a note if there are no items. */
export function prepareToolOutput(
	n8n: Pick<IExecuteFunctions, 'getNodeParameter'>,
	items: INodeExecutionData[],
	repeatsEarlierCall: boolean,
): INodeExecutionData[] {
	if (items.length === 0) return [{ json: { found: 0, note: 'Nothing was found.' } }];
	const mode = n8n.getNodeParameter('toolOutput', 0, 'simplified');
	const names = String(n8n.getNodeParameter('toolOutputFields', 0, ''));
	const wanted = mode === 'selected' ? selectFields(items, names) : items;
	const output = mode === 'raw' ? wanted : truncateItems(wanted);
	if (!repeatsEarlierCall) return output;
	return mapJson(output, (json) => ({ ...json, repeated: repeatedCallNote }));
}

/**
 * Creates the result of a tool call whose job is still running. An error would make the language
 * model start the job again. An identical call waits for the same job, unless Pay for Repeated
 * Calls is on.
 */
export function createStillRunningResult(
	started: Job,
	{ job, status }: TimedOutOutcome,
	{ payEachCall }: IDataObject,
): IDataObject {
	const { kind, id } = job;
	const what = describeJobKind(kind);
	const advice =
		payEachCall === true
			? 'Do not create it again, because you would be charged again. Call Get later'
			: `Do not create it again with other values: call this tool again with exactly the same values. The tool then waits for the same ${what}, at no further charge. After the user's next message, call Get`;
	return {
		[started.kind.id]: started.id,
		[kind.id]: id,
		status: status ?? 'processing',
		finished: false,
		note: `The ${what} is still being created. ${advice}, with ${kind.id} "${id}".`,
		job: toJobReference(job),
	};
}

/** Maximum length of an error message for a language model, in characters. */
const maxMessageLength = 1_000;
/** Maximum length of the last line of an error message for a language model, in characters. */
const maxLastLineLength = 700;

/** Whether a sentence of advice is for people only: models cannot change credentials or options. */
const isForPerson = (sentence: string) =>
	/\b(credential|Base URL|API key|key the scope|in the options|On Error)\b/i.test(sentence);

const askForSettings =
	"Do not call this tool again. Tell the user that a person must check this node's credential.";

/**
 * Keeps the sentences of an error's advice that a language model can follow. If the first
 * sentence is not one of these, returns a short general instruction instead.
 */
function adviseModel(line: string): string {
	const sentences = line.split(/(?<=[.!?]) /);
	const possible = sentences.filter((sentence) => !isForPerson(sentence));
	if (possible[0] === sentences[0]) return possible.join(' ');
	return /credential|Base URL|key/i.test(line) ? askForSettings : 'Call again later.';
}

/** Returns an error's lines for a language model. The last line says what to correct. */
function getLinesForModel(error: NodeError): string[] {
	const { advice, correction, additions = {} } = getErrorTextParts(error);
	const { complaints: problems = [] } = getErrorDetails(error);
	const last =
		problems.length > 0 ? `Call again with correct values: ${problems.join('; ')}` : correction;
	const { before = [], after = [] } = additions;
	const lines = [...before, ...advice, ...after].filter((line) => !problems.includes(line));
	return [...lines.map(adviseModel), last ?? ''].filter((line) => line !== '');
}

/**
 * Moves advice from an error's description into its message, because n8n passes only the message to
 * language models. Omits codes, IDs, and advice that only a person can follow.
 */
export function moveAdviceIntoMessage(error: NodeError): NodeError {
	const { message } = error;
	const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
	const lines = [sentence, ...getLinesForModel(error)];
	// The earlier lines are shortened rather than the last one.
	const last = lines.pop()?.slice(0, maxLastLineLength) ?? '';
	const others = lines.join('\n').slice(0, maxMessageLength - last.length - 1);
	error.message = [others, last].filter((text) => text !== '').join('\n');
	return error;
}
