/**
 * How far a list has been read, and which of its entries are new. Pure.
 *
 * The position goes by times and ids of the list. It holds the ids of the last stretch of time, so
 * that entries with equal times, and those that come late with a time of before, are told apart. The
 * clock of n8n can only hold it back: an entry from the future must not hide those of today.
 */
import type { IDataObject } from 'n8n-workflow';
import { toUnixSeconds } from '../core/time';

/** Where reading stands, as JSON. */
export interface Cursor {
	/** Unix seconds: what is older has been dealt with. */
	floor: number;
	/** What has been dealt with and is not older: ids and marks, with their times. */
	seen: Readonly<Record<string, number>>;
}

/** An entry of a list that has not been dealt with. */
export interface ListEntry {
	id: string;
	/** Unix seconds, by the clock of the service. */
	time: number;
	row: IDataObject;
}

/** An entry may come so late, in seconds by its own time, and is new all the same. */
export const cursorOverlap = 15 * 60;

/** Ids that a position holds; with more of them in the overlap, the overlap becomes shorter. */
export const maxSeenIds = 5_000;

/** How a list is read. */
export interface ReadOptions {
	/** Nothing has been read yet: entries count from so many seconds before the newest. */
	position: Cursor | number;
	/** Most entries that are taken at once: the oldest. */
	most: number;
	/** The id of a row; nothing where the row says nothing that can be used. */
	idOf(row: IDataObject): string | undefined;
	/** Unix seconds, by the clock of n8n. */
	now: number;
}

/** Reads a list page by page. */
export interface EntryReader {
	/** Takes the next page; tells whether all that is new has been seen. */
	take(rows: readonly IDataObject[]): boolean;
	/** What is new, the oldest first; all that is left out is newer. */
	found(): ListEntry[];
}

/**
 * Reads a list in whatever order it is. Where its rows so far fell in time, the newest first, reading
 * ends with the position; else all of it is read.
 */
export function createEntryReader({ position, most, idOf, now }: ReadOptions): EntryReader {
	const begun = typeof position === 'object';
	const met = new Set<string>();
	let entries: Array<ListEntry & { place: number }> = [];
	let newest = -Infinity;
	let oldest = Infinity;
	let rises = false;
	let falls = false;
	let place = 0;
	let last: number | undefined;

	const floor = () => (begun ? position.floor : Math.min(newest, now) - position);
	/** A list falls or rises; entries of one time stand in its order. */
	const upwards = () => rises && !falls;
	const sort = () =>
		entries.sort((a, b) => a.time - b.time || (upwards() ? a.place - b.place : b.place - a.place));

	/** Leaves the oldest, as many as are taken at once. */
	const cut = () => {
		if (!begun) entries = entries.filter(({ time }) => time >= floor());
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
					// What comes a little late stands a little out of order.
					if (own > oldest + cursorOverlap) rises = true;
					if (own < newest - cursorOverlap) falls = true;
					newest = Math.max(newest, own);
					oldest = Math.min(oldest, own);
				}
				// Without a time of its own it is as old as its neighbours.
				const time = own ?? last ?? first ?? (begun ? position.floor : 0);
				last = time;
				const id = idOf(row);
				if (id === undefined || met.has(id) || time < floor()) continue;
				met.add(id);
				if (!begun || !Object.hasOwn(position.seen, id))
					entries.push({ id, time, row, place: ++place });
			}
			if (entries.length > 2 * most || !begun) cut();
			return falls && !rises && oldest < floor() - cursorOverlap;
		},
		found() {
			cut();
			sort();
			return entries.map(({ id, time, row }) => ({ id, time, row }));
		},
	};
}

/**
 * The position after entries have been dealt with: the oldest of those that were new.
 *
 * @param marks what else to tell a repeat by, with its time
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
