/**
 * Defines the result for an input item or for a part of it, an output item or a failure, and what it
 * says about its row.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails, type RowOutcome } from '../errors/errorDetails';
import { getErrorTextParts } from '../errors/nodeErrors';
import type { FinishedJobItem } from '../jobs/finishedItem';
import type { Job, JobState } from '../jobs/types';
import { isObject, readId, readText } from '../json';
import type { Balance } from '../operation';
import type { BatchRow, ItemOperation } from '../plan/groupRequests';
import type { Creation, RequestFailure } from '../send/sendResult';

/**
 * Output item with the index of its input item and, if there is one, the finished job that produced
 * it.
 */
export interface OutputItem extends FinishedJobItem {
	item: number;
	/** What has happened to the row. By default, it is finished. */
	outcome?: RowOutcome;
	creation?: Creation;
	/** Whether this is an input item that is output unchanged, because it names no job. */
	isPassedOn?: boolean;
}

/** Failure of an input item: the error, and any jobs that were started for the item. */
export interface ItemFailure extends RequestFailure {
	/** Jobs that were started for the item before it failed. */
	jobs: readonly Job[];
	/**
	 * Rows of the batch that failed. Each row gets its own error item with the row's index, so that
	 * another node can wait for this row. Undefined if no batch was created.
	 */
	rows?: readonly BatchRow[];
	/** What has happened to the row, if the error does not say it. */
	outcome?: RowOutcome;
	creation?: Creation;
	/** Part of the result that failed, if the result was split into several items. */
	part?: FinishedJobItem['part'];
}

export type ItemResult = OutputItem | ItemFailure;

export const isItemFailure = (result: ItemResult): result is ItemFailure => 'error' in result;

/** Returns the rows or items that a failure concerns. Each of them gets its own error item. */
export const listFailedRows = ({
	item,
	otherItems = [],
	rows,
}: ItemFailure): ReadonlyArray<{ item: number; index?: number }> =>
	rows ?? [item, ...otherItems].map((failed) => ({ item: failed }));

/**
 * Returns the index of the input item that an output item was created from, or undefined if it was
 * created from several.
 *
 * @param otherwise index to return if the output item does not refer to any input item
 */
export function getInputItemIndex({ pairedItem }: INodeExecutionData, otherwise: number) {
	if (pairedItem === undefined) return otherwise;
	if (typeof pairedItem === 'number') return pairedItem;
	if (!Array.isArray(pairedItem)) return pairedItem.item;
	const [source, ...others] = pairedItem;
	return others.length === 0 ? source?.item : undefined;
}

/** What has happened to a row: the part of an item that became a request or a batch row. */
export interface RowReport {
	/** Index of the input item. */
	item: number;
	outcome: RowOutcome;
	creation?: Creation;
	/** Error message, if there is one. */
	reason?: string;
}

function decideFailureOutcome({ error, jobs, outcome }: ItemFailure): RowOutcome {
	const details = getErrorDetails(error);
	if (details.outcome) return details.outcome;
	if (details.uncertain === true) return 'unknown';
	return outcome ?? (jobs.length === 0 ? 'not_started' : 'unknown');
}

/** Returns what has happened to a row according to its item. */
function readItemOutcome({ error, status }: IDataObject): RowOutcome {
	// Part of the result arrived, such as the beginning of an audio stream.
	if (readText(error) !== undefined) return 'unknown';
	return status === 'failed' || status === 'unknown' ? status : 'finished';
}

/** What has happened to the row of a job in each state. */
export const outcomeOfState: Record<JobState, RowOutcome> = {
	completed: 'finished',
	failed: 'failed',
	pending: 'running',
	resting: 'running',
};

/** Returns the fields that say in an item what has happened to its row. */
export function toRowFields(result: ItemResult): IDataObject {
	const { creation } = result;
	const outcome = isItemFailure(result)
		? decideFailureOutcome(result)
		: (result.outcome ?? readItemOutcome(result.output.json));
	return { outcome, ...(creation && { creation }) };
}

/** Whether an earlier part of the same result, such as a clip, already stands for the row. */
const isFurtherPart = ({ item, part }: ItemResult, itemOfPart: number) =>
	part !== undefined && part.number > 0 && itemOfPart === item;

/** Returns a report for each row that a result belongs to. */
export function reportRows(result: ItemResult): RowReport[] {
	const { outcome, creation } = toRowFields(result) as Pick<RowReport, 'outcome' | 'creation'>;
	if (isItemFailure(result)) {
		const reason = getErrorTextParts(result.error).message.replace(/\.$/, '');
		return isFurtherPart(result, result.item)
			? []
			: listFailedRows(result).map(({ item }) => ({ item, outcome, creation, reason }));
	}
	const item = getInputItemIndex(result.output, result.item) ?? result.item;
	return isFurtherPart(result, item) ? [] : [{ item, outcome, creation }];
}

/**
 * Adds the cost of the only row of a run to its items. The service reports no cost, so it is known
 * only if a run has created a single row and the account balance has fallen meanwhile.
 */
export function addCost(
	results: readonly ItemResult[],
	before: Balance | Error | undefined,
	after: Balance | Error | undefined,
): void {
	const [row, ...others] = results.flatMap(reportRows);
	if (others.length > 0 || row?.creation !== 'created') return;
	if (!before || !after || before instanceof Error || after instanceof Error) return;
	const amount = Math.round((before.left - after.left) * 10_000) / 10_000;
	if (before.unit !== after.unit || amount <= 0) return;
	for (const result of results) {
		if ('output' in result) result.output.json.cost = { amount, unit: before.unit };
	}
}

/**
 * Copies an output item's ID to the key that all nodes use for it, such as `video_id`. Takes the ID
 * from the response's `id`, from the started job, or from the values that the request contained.
 */
export function copyIdToSpecificKey(
	item: INodeExecutionData,
	key: string | undefined,
	{ values }: Pick<ItemOperation, 'values'>,
): INodeExecutionData {
	const { json } = item;
	if (key === undefined || json[key] !== undefined) return item;
	const job = isObject(json.job) ? json.job.id : undefined;
	const id = readId(json.id ?? job ?? values[key]);
	return id !== undefined ? { ...item, json: { [key]: id, ...json } } : item;
}

/**
 * Removes `id` from an item if a more specific key, such as `video_id`, contains the same value.
 */
export function removeDuplicateId(json: IDataObject): IDataObject {
	const { id, ...rest } = json;
	const isDuplicate = Object.entries(rest).some(
		([key, value]) => key.endsWith('_id') && value === id,
	);
	return isDuplicate ? rest : json;
}
