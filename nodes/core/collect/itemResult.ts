/** Defines the result for an input item or for a part of it: an output item or a failure. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { RowOutcome } from '../errors/errorDetails';
import type { FinishedJobItem } from '../jobs/finishedItem';
import type { Job } from '../jobs/types';
import type { BatchRow } from '../plan/groupRequests';
import type { RequestFailure } from '../send/rejectedRows';
import type { Creation } from '../send/sendResult';

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
