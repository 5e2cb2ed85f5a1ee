/**
 * Matches the entries in a batch's status response with the rows that were sent. A batch is one
 * request with several rows. Each row starts a job.
 */
import type { IDataObject } from 'n8n-workflow';
import { readId, readObjects } from '../json';
import type { Job, JobKind } from './types';

/** Returns a batch entry's job ID. All kinds use the key `video_id` (service.md, Resources). */
const readEntryId = (kind: Pick<JobKind, 'id'>, { video_id, id, ...entry }: IDataObject) =>
	readId(video_id) ?? readId(entry[kind.id]) ?? readId(id);

/** Returns the job of a batch entry, or `undefined` if the service started none. */
export function readJobOfBatchEntry(kind: JobKind, entry: IDataObject): Job | undefined {
	const id = readEntryId(kind, entry);
	return id === undefined ? undefined : { kind, id };
}

function readIndex({ item_index }: IDataObject): number | undefined {
	const isNumeric = typeof item_index === 'string' && /^\s*\d+\s*$/.test(item_index);
	const index = isNumeric ? Number(item_index) : item_index;
	return typeof index === 'number' && Number.isInteger(index) ? index : undefined;
}

/** Returns the index of a batch's first row: 1 if its indexes are 1 to n, otherwise 0. */
const findFirstIndex = (indexes: ReadonlyArray<number | undefined>) =>
	new Set(indexes).size === indexes.length &&
	indexes.every((index) => index !== undefined && index >= 1 && index <= indexes.length)
		? 1
		: 0;

/**
 * Returns a batch's entries, one per row, in the order of the rows in the request. A row's entry is
 * undefined if the response does not clearly show which entry belongs to the row.
 *
 * @param count number of rows that were sent. Defaults to the number that the response reports
 */
export function matchEntriesToRows(
	kind: Pick<JobKind, 'id'>,
	{ items, total_items: total }: IDataObject,
	count?: number,
): Array<IDataObject | undefined> {
	const entries = readObjects(items);
	const rowCount = count ?? (typeof total === 'number' ? total : entries.length);
	const unknown = Array<undefined>(rowCount).fill(undefined);
	// A different number of rows means that the response is for another batch.
	if (typeof total === 'number' && total !== rowCount) return unknown;
	const isComplete = entries.length === rowCount;
	const indexes = entries.map(readIndex);
	const first = isComplete ? findFirstIndex(indexes) : 0;
	// Entries are in the order of the rows (service.md, Resources), so an index may be missing.
	const isInOrder =
		isComplete && indexes.every((index, i) => index === undefined || index === i + first);
	const rows = isInOrder
		? entries.map((_, i) => i)
		: indexes.map((index) => (index === undefined ? undefined : index - first));
	if (rows.some((row) => row !== undefined && (row < 0 || row >= rowCount))) return unknown;
	const ids = entries.map((entry) => readEntryId(kind, entry));
	const isUnique = (all: readonly unknown[], i: number) =>
		all[i] === undefined || all.indexOf(all[i]) === all.lastIndexOf(all[i]);
	return unknown.map((_, row) => {
		const i = rows.indexOf(row);
		return i >= 0 && isUnique(rows, i) && isUnique(ids, i) ? entries[i] : undefined;
	});
}
