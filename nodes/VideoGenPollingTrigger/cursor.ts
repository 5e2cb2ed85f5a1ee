/**
 * Tracks how far the trigger has read a list, and finds the new entries of the list. Pure
 * functions.
 *
 * A cursor consists of a time and of the IDs processed since then. The IDs distinguish entries with
 * equal timestamps and reveal entries that appear late. The clock of n8n can only hold the cursor
 * back, so that an entry with a future timestamp does not hide current ones.
 */
import type { IDataObject } from 'n8n-workflow';
import { toUnixSeconds } from '../core/time';

/** Position up to which a list has been read. Stored as JSON. */
export interface Cursor {
	/** Unix seconds. All older entries have been processed. */
	floor: number;
	/** Processed entries that are not older than `floor`: Unix seconds by entry ID or mark. */
	seen: Readonly<Record<string, number>>;
}

/** List entry that has not been processed yet. */
export interface ListEntry {
	id: string;
	/** Creation time in Unix seconds, by the clock of the service. */
	time: number;
	row: IDataObject;
}

/** Seconds by which an entry may appear late in its list and still count as new. */
export const cursorOverlap = 15 * 60;

/** Maximum number of IDs in a cursor. If more entries are recent, the overlap becomes shorter. */
export const maxSeenIds = 5_000;

/** Options for reading the new entries of a list. */
export interface EntryReaderOptions {
	/**
	 * Cursor after the last read. For a first read, the age in seconds, relative to the newest entry,
	 * up to which entries count as new.
	 */
	position: Cursor | number;
	/** Maximum number of entries to return. The oldest ones take precedence. */
	maxEntries: number;
	/** Returns the ID of a row, or undefined if the row is unusable. */
	idOf(row: IDataObject): string | undefined;
	/** Current Unix time in seconds, by the clock of n8n. */
	now: number;
}

/** Collects the new entries of a list, page by page. */
export interface NewEntryReader {
	/** Adds the rows of the next page. Returns true once all new entries have been read. */
	take(rows: readonly IDataObject[]): boolean;
	/**
	 * Returns the new entries, oldest first. If there are more than the maximum, the newest are left out.
	 */
	getEntries(): ListEntry[];
}

/**
 * Creates a reader for a list in any order. While the rows are sorted newest first, reading ends at
 * the cursor; otherwise the whole list is read.
 */
export function createNewEntryReader({
	position,
	maxEntries,
	idOf,
	now,
}: EntryReaderOptions): NewEntryReader {
	const hasCursor = typeof position === 'object';
	const knownIds = new Set<string>();
	let entries: Array<ListEntry & { place: number }> = [];
	let newest = -Infinity;
	let oldest = Infinity;
	let rises = false;
	let falls = false;
	let place = 0;
	let last: number | undefined;

	const getFloor = () => (hasCursor ? position.floor : Math.min(newest, now) - position);
	/**
	 * Whether the list is sorted oldest first. Entries with equal timestamps keep the order of the
	 * list.
	 */
	const isAscending = () => rises && !falls;
	const sort = () =>
		entries.sort(
			(a, b) => a.time - b.time || (isAscending() ? a.place - b.place : b.place - a.place),
		);

	/** Drops the entries that will not be returned. */
	const cut = () => {
		if (!hasCursor) entries = entries.filter(({ time }) => time >= getFloor());
		else if (entries.length > maxEntries) {
			sort();
			entries.length = maxEntries;
		}
	};

	return {
		take(rows) {
			const first = rows
				.map((row) => toUnixSeconds(row.created_at))
				.find((time) => time !== undefined);
			for (const row of rows) {
				const own = toUnixSeconds(row.created_at);
				if (own !== undefined) {
					// Slight disorder does not count, because some entries appear late.
					if (own > oldest + cursorOverlap) rises = true;
					if (own < newest - cursorOverlap) falls = true;
					newest = Math.max(newest, own);
					oldest = Math.min(oldest, own);
				}
				// A row without a timestamp counts as being as old as its neighbors.
				const time = own ?? last ?? first ?? (hasCursor ? position.floor : 0);
				last = time;
				const id = idOf(row);
				if (id === undefined || knownIds.has(id) || time < getFloor()) continue;
				knownIds.add(id);
				if (!hasCursor || !Object.hasOwn(position.seen, id))
					entries.push({ id, time, row, place: ++place });
			}
			if (entries.length > 2 * maxEntries || !hasCursor) cut();
			return falls && !rises && oldest < getFloor() - cursorOverlap;
		},
		getEntries() {
			cut();
			sort();
			return entries.map(({ id, time, row }) => ({ id, time, row }));
		},
	};
}

/**
 * Returns the cursor after the oldest new entries have been processed.
 *
 * @param marks further marks that identify processed events, with their Unix time in seconds
 * @param now current Unix time in seconds, by the clock of n8n
 */
export function advanceCursor(
	position: Cursor | undefined,
	entries: readonly ListEntry[],
	marks: Cursor['seen'],
	now: number,
): Cursor {
	const before = position ?? { floor: 0, seen: {} };
	const seen = Object.entries({
		...before.seen,
		...marks,
		...Object.fromEntries(entries.map(({ id, time }) => [id, time])),
	}).sort(([, a], [, b]) => b - a);
	const newest = Math.min(seen[0]?.[1] ?? 0, now);
	const bound = seen[maxSeenIds]?.[1] ?? 0;
	const floor = Math.max(before.floor, newest - cursorOverlap, bound);
	return { floor, seen: Object.fromEntries(seen.filter(([, time]) => time >= floor)) };
}
