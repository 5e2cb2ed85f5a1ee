/**
 * How far a list has been read, and which of its entries are new. Pure.
 *
 * A cursor consists of a time and of the IDs after it. The IDs tell entries with equal timestamps
 * apart, and find entries that appear late. The clock of n8n can only hold the cursor back, so that
 * an entry with a time in the future does not hide those of today.
 */
import type { IDataObject } from 'n8n-workflow';
import { toUnixSeconds } from '../core/time';

/** How far a list has been read, as JSON. */
export interface Cursor {
	/** Unix seconds: older entries have been processed. */
	floor: number;
	/** IDs and marks of processed entries that are not older, with their times. */
	seen: Readonly<Record<string, number>>;
}

/** An entry of a list that has not been processed. */
export interface ListEntry {
	id: string;
	/** Unix seconds, by the clock of the service. */
	time: number;
	row: IDataObject;
}

/** Seconds by which an entry may appear late, by its own time, and still count as new. */
export const cursorOverlap = 15 * 60;

/** Most IDs in a cursor. With more of them, the overlap becomes shorter. */
export const maxSeenIds = 5_000;

/** What to read of a list. */
export interface EntryReaderOptions {
	/** The cursor; for a first read, the seconds before the newest entry from which entries count. */
	position: Cursor | number;
	/** Most entries to take: the oldest ones. */
	most: number;
	/** The ID of a row; undefined if the row cannot be used. */
	idOf(row: IDataObject): string | undefined;
	/** Unix seconds, by the clock of n8n. */
	now: number;
}

/** Collects the new entries of a list, page by page. */
export interface NewEntryReader {
	/** Takes the next page. Returns whether all new entries have been seen. */
	take(rows: readonly IDataObject[]): boolean;
	/** The new entries, oldest first. Entries that were left out are newer. */
	found(): ListEntry[];
}

/**
 * A reader for a list in any order. If its rows so far are sorted newest first, reading ends at the
 * cursor; otherwise the whole list is read.
 */
export function createNewEntryReader({
	position,
	most,
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
	/** Lists are sorted either way; entries with equal timestamps keep the list's order. */
	const isAscending = () => rises && !falls;
	const sort = () =>
		entries.sort(
			(a, b) => a.time - b.time || (isAscending() ? a.place - b.place : b.place - a.place),
		);

	/** Keeps the oldest entries. */
	const cut = () => {
		if (!hasCursor) entries = entries.filter(({ time }) => time >= getFloor());
		else if (entries.length > most) {
			sort();
			entries.length = most;
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
					// Entries that appear a little late are a little out of order.
					if (own > oldest + cursorOverlap) rises = true;
					if (own < newest - cursorOverlap) falls = true;
					newest = Math.max(newest, own);
					oldest = Math.min(oldest, own);
				}
				// A row without a time is as old as its neighbors.
				const time = own ?? last ?? first ?? (hasCursor ? position.floor : 0);
				last = time;
				const id = idOf(row);
				if (id === undefined || knownIds.has(id) || time < getFloor()) continue;
				knownIds.add(id);
				if (!hasCursor || !Object.hasOwn(position.seen, id))
					entries.push({ id, time, row, place: ++place });
			}
			if (entries.length > 2 * most || !hasCursor) cut();
			return falls && !rises && oldest < getFloor() - cursorOverlap;
		},
		found() {
			cut();
			sort();
			return entries.map(({ id, time, row }) => ({ id, time, row }));
		},
	};
}

/**
 * The cursor after the oldest new entries have been processed.
 *
 * @param marks other marks by which repeats are recognized, with their times
 * @param now Unix seconds, by the clock of n8n
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
