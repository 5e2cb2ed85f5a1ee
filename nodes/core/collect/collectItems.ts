/** Collects the results for all input items and turns them into the output of the node. */
import type { IExecuteFunctions, INodeExecutionData, IDataObject } from 'n8n-workflow';
import { getErrorDetails, type ErrorDetails } from '../errors/errorDetails';
import {
	getErrorTextParts,
	type NodeError,
	addErrorText,
	joinErrorTextParts,
	type ErrorAdditions,
} from '../errors/nodeErrors';
import { type Job, describeJob, toJobReference } from '../jobs/types';
import { readObject, isObject, readText } from '../json';
import { runsAsAgentTool } from '../operationTraits';
import type { StartedJobTracker } from '../send/startedJobs';
import {
	createRowReports,
	toOutcomeFields,
	getInputItemIndex,
	isItemFailure,
	listFailedRows,
	type RowReport,
	type ItemFailure,
	type ItemResult,
	type OutputItem,
} from './itemResult';

/** Creates an object that collects the results of input items, which may arrive in any order. */
export function createItemCollector(
	n8n: Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'getNodeParameter' | 'continueOnFail'>,
	jobs: Pick<StartedJobTracker, 'of' | 'others'>,
	getRowId: (item: number) => string | undefined,
	areRowsReported: boolean,
) {
	const itemCount = n8n.getInputData().length;
	const outputs: INodeExecutionData[][] = Array.from({ length: itemCount }, () => []);
	const failures: ItemFailure[] = [];
	const rows: RowReport[] = [];
	const displaced = new Set<string>();
	let also: string[] = [];

	function mergeInput(item: number, output: INodeExecutionData): INodeExecutionData {
		const merged = addInputFields(n8n, item, output);
		const json = n8n.getInputData()[item]?.json ?? {};
		const earlier = readObject(json.input);
		for (const name of Object.keys(readObject(merged.json.input))) {
			const isInBoth = [json, output.json].every((one) => Object.hasOwn(one, name));
			if (isInBoth && merged !== output && !Object.hasOwn(earlier, name)) displaced.add(name);
		}
		return merged;
	}

	function addOutput({ item, output }: OutputItem): void {
		const source = getInputItemIndex(output, item);
		outputs[item]?.push(source === undefined ? output : mergeInput(source, output));
	}

	function addErrorItem(failure: ItemFailure, row?: number): void {
		const { item } = failure;
		const place = { node: n8n.getNode().name, id: getRowId(item), index: row };
		const fields = areRowsReported ? toOutcomeFields(failure) : {};
		const output = createErrorItem(failure, itemCount, place, fields);
		// For the error output, n8n itself adds the input fields. It rejects other keys in error items.
		const isComplete = n8n.getNode().onError === 'continueErrorOutput';
		const complete = { ...output, json: { ...fields, ...output.json } };
		outputs[item]?.push(isComplete ? output : mergeInput(item, complete));
	}

	/** Adds results. `isReported`: whether hints count these results. False for Check Only. */
	function add(results: readonly ItemResult[], isReported = true): void {
		const failed = results.filter(isItemFailure);
		if (failures.length === 0 && failed.length > 1) {
			const lines = failed.map(
				({ item, error }) => error.message + formatItemSuffix(item, itemCount),
			);
			also = ['Also:', ...lines.slice(1)];
		}
		failures.push(...failed);
		if (isReported) rows.push(...results.flatMap(createRowReports));
		for (const result of results) {
			if (!isItemFailure(result)) addOutput(result);
			else if (n8n.continueOnFail()) {
				for (const { item, index } of listFailedRows(result)) {
					addErrorItem({ ...result, item }, index);
				}
			}
		}
	}

	/** If an item has failed and Continue On Fail is off, throws the error that ends the run. */
	function throwFailure(): void {
		const [first, ...more] = failures;
		if (!first || n8n.continueOnFail()) return;
		const uncertain = more.filter(({ error }) => getErrorDetails(error).uncertain === true);
		const lines = uncertain.map(({ item, error }) => {
			const [advice = ''] = getErrorTextParts(error).advice;
			return `Row ${item + 1}: ${error.message}. ${advice}`;
		});
		const failure = { ...first, jobs: jobs.of(first.item) };
		throw toRunError(failure, itemCount, jobs.others(first.item), [...also, ...lines]);
	}

	return {
		add,
		failAll(items: Iterable<number>, error: NodeError): void {
			add([...items].map((item) => ({ item, error, jobs: jobs.of(item) })));
			throwFailure();
		},
		/** Adds the errors of invalid items to the results. Returns the plans of the valid items. */
		takeValid<T>(plans: ReadonlyMap<number, T | NodeError>): Map<number, T> {
			const valid = new Map<number, T>();
			for (const [item, plan] of plans) {
				if (plan instanceof Error) add([{ item, error: plan, jobs: jobs.of(item) }]);
				else valid.set(item, plan);
			}
			throwFailure();
			return valid;
		},
		throwFailure,
		failuresByItem: (): ReadonlyMap<number, ItemFailure> =>
			new Map(
				[...failures]
					.reverse()
					.flatMap((failure) =>
						listFailedRows(failure).map(({ item }) => [item, failure] as const),
					),
			),
		/** Returns the names of input fields that moved to `input`: output fields have these names. */
		displaced: (): ReadonlySet<string> => displaced,
		rows: (): RowReport[] => [...rows].sort((a, b) => a.item - b.item),
		items: (): INodeExecutionData[] => outputs.flat(),
	};
}

export type ItemCollector = ReturnType<typeof createItemCollector>;

export interface JobsOfItem {
	item: number;
	jobs: readonly Job[];
}

/** Maximum number of job IDs that an error lists. Any further jobs are only counted. */
const maxListedJobs = 100;

/**
 * Returns the suffix of an error message, such as ` [row 4]`, or an empty string if there is only
 * one item. Rows are numbered from 1, as in a spreadsheet without a header row.
 */
export const formatItemSuffix = (item: number, itemCount: number) =>
	itemCount > 1 ? ` [row ${item + 1}]` : '';

/** Returns what to add to an item's error: the item's jobs and, if the run ends, all other jobs. */
export function getErrorAdditionsAndDetails(
	{ item, error, jobs, hints = [] }: ItemFailure,
	itemCount: number,
	others: readonly JobsOfItem[] = [],
): { additions: Required<ErrorAdditions>; details: ErrorDetails } {
	const details = getErrorDetails(error);
	const named = [readObject(details.job).id, details.batch_id];
	const unnamed = jobs.filter(({ id }) => !named.includes(id)).map(describeJob);
	const started = others.flatMap((other) => other.jobs.map((job) => ({ item: other.item, job })));
	const listed = started
		.slice(0, maxListedJobs)
		.map(({ item: row, job }) => `row ${row + 1}: ${describeJob(job)}`);
	const more = started.length > maxListedJobs ? ` and ${started.length - maxListedJobs} more` : '';
	const references = jobs.map(toJobReference);
	return {
		additions: {
			suffix: formatItemSuffix(item, itemCount),
			before: hints,
			after: [
				unnamed.length > 0 && `Already started for this item: ${unnamed.join(', ')}`,
				started.length > 0 &&
					`Jobs started for other items: ${listed.join(', ')}${more}. They are not lost and continue to run in the service.`,
			].filter((line) => line !== false),
		},
		details: {
			...(references.length > 0 && { job: references[0] }),
			...(references.length > 1 && { jobs: references }),
			...details,
			...(started.length > 0 && {
				started: started.map(({ item: row, job }) => ({ item: row, ...toJobReference(job) })),
			}),
		},
	};
}

/**
 * Creates the output item that reports a failure.
 *
 * @param row.index index of the batch row that failed, if a batch was created
 * @param row.id ID by which the node recognizes the error item if it comes back as an input item
 */
export function createErrorItem(
	failure: ItemFailure,
	itemCount: number,
	row: { node?: string; id?: string; index?: number } = {},
	fields: IDataObject = {},
): INodeExecutionData {
	const { additions, details } = getErrorAdditionsAndDetails(failure, itemCount);
	const { message, description } = joinErrorTextParts(getErrorTextParts(failure.error), additions);
	const { node, id, index } = row;
	return {
		// n8n sends an item to the error output only if its JSON has no other keys.
		json: {
			error: message,
			details: {
				...details,
				...(index !== undefined && { item_index: index }),
				...(id !== undefined && { row: { node, item: failure.item, id } }),
				...fields,
				description: description || null,
			},
		},
		pairedItem: { item: failure.item },
	};
}

/** Turns an item's failure into the error that ends the run and lists the jobs of all items. */
export function toRunError(
	failure: ItemFailure,
	itemCount: number,
	others: readonly JobsOfItem[],
	moreLines: readonly string[] = [],
): NodeError {
	const { error, item } = failure;
	const { additions, details } = getErrorAdditionsAndDetails(failure, itemCount, others);
	addErrorText(error, { ...additions, after: [...additions.after, ...moreLines] });
	error.context.itemIndex = item;
	error.context.details = details;
	return error;
}

type InputReader = Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'getNodeParameter'>;

export function shouldIncludeInputFields(n8n: InputReader, item: number): boolean {
	if (runsAsAgentTool(n8n)) return false;
	try {
		// An expression may return the text `true`.
		return String(n8n.getNodeParameter('options.includeInputFields', item, false)) === 'true';
	} catch {
		// The item has already failed because of this expression.
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

/** Returns a value as text for comparison, without URL queries: signatures in file URLs vary. */
const toComparableText = (value: unknown) =>
	JSON.stringify(value)?.replace(/[^\s"]+/g, removeQuery);

const isEqual = (a: unknown, b: unknown) => toComparableText(a) === toComparableText(b);

/**
 * Merges an output item's JSON with its input item's. Input fields that conflict with output
 * fields move into the object `input`. Values that an earlier node stored there are kept.
 *
 * An input item's `error` always moves, because n8n would otherwise treat the output item as
 * failed. If the input item refers to a job, its `job` and `status` are replaced with those of
 * the output item, and its `outcome` and `creation` are dropped.
 */
export function mergeInputIntoOutput(outputJson: IDataObject, inputJson: IDataObject): IDataObject {
	const { input: earlier, ...fields } = inputJson;
	const hasJob = hasJobReference(fields);
	const outdated = hasJob ? ['job', 'status'] : [];
	const rowFields = hasJob ? ['outcome', 'creation'] : [];
	const reserved = ['error'];
	if (readText(fields.error) !== undefined) reserved.push('details');
	// An error item has its own job in its details, so the input's `job` must move.
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

/** Adds the input item's fields and files to an output item, whose own values take precedence. */
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
