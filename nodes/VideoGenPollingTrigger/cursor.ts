/**
 * Tracks how much of a list the trigger has processed, and finds the new entries of the list. The
 * functions in this file send no requests.
 *
 * A cursor consists of a time and the IDs of the entries processed since then. The IDs make it
 * possible to find entries that appear late, and to distinguish entries with the same timestamp.
 * The time does not move past the clock of n8n, so that an entry with a future timestamp does not
 * hide current ones.
 */
import type { IDataObject } from 'n8n-workflow';
import { toUnixSeconds } from '../core/time';

/** Position up to which the entries of a list have been processed. Stored as JSON. */
export interface Cursor {
	/** Unix time in seconds. All entries older than this have been processed. */
	floor: number;
	/**
	 * Processed entries that are not older than `floor`: the Unix time of each in seconds, by entry
	 * ID or deduplication key.
	 */
	seen: Readonly<Record<string, number>>;
}

/** Entry of a polled list that has not been processed yet. */
export interface ListEntry {
	id: string;
	/** Creation time in Unix seconds, according to the service's clock. */
	time: number;
	row: IDataObject;
}

/** Maximum delay, in seconds, with which a new entry can appear in a list without being missed. */
export const cursorOverlapSeconds = 15 * 60;

/**
 * Maximum number of IDs stored in a cursor. If the number of recent entries exceeds it, the cursor
 * covers a shorter period than usual.
 */
export const maxSeenIds = 5_000;

/** Options for a reader that finds the new entries of a list. */
export interface NewEntryReaderOptions {
	/**
	 * Cursor from the previous read. For a first read, a number instead: the maximum age of entries
	 * in seconds, relative to the newest entry.
	 */
	position: Cursor | number;
	/** Maximum number of entries to return, oldest first. A first read ignores this maximum. */
	maxEntries: number;
	/** Returns the ID of a list row, or undefined if the row should be skipped. */
	idOf(row: IDataObject): string | undefined;
	/** Current Unix time in seconds, according to n8n's clock. */
	now: number;
}

/** Reader that collects the new entries from the pages of a list. */
export interface NewEntryReader {
	/**
	 * Processes the rows of the next page. Returns true if all new entries have been found, so that
	 * no further page is needed.
	 */
	take(rows: readonly IDataObject[]): boolean;
	/**
	 * Returns the new entries, oldest first. If there are more than `maxEntries`, the newest are left
	 * out.
	 */
	getEntries(): ListEntry[];
}

/**
 * Creates a reader that finds the new entries of a list. If the list is sorted newest first,
 * reading stops at the cursor. Otherwise, the whole list is read.
 */
export function createNewEntryReader({
	position,
	maxEntries,
	idOf,
	now,
}: NewEntryReaderOptions): NewEntryReader {
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
	 * Whether the list is sorted oldest first. This determines how entries with equal timestamps are
	 * ordered.
	 */
	const isAscending = () => rises && !falls;
	const sort = () =>
		entries.sort(
			(a, b) => a.time - b.time || (isAscending() ? a.place - b.place : b.place - a.place),
		);

	/** Discards entries that are too old or that exceed the maximum number of entries. */
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
					if (own > oldest + cursorOverlapSeconds) rises = true;
					if (own < newest - cursorOverlapSeconds) falls = true;
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
			return falls && !rises && oldest < getFloor() - cursorOverlapSeconds;
		},
		getEntries() {
			cut();
			sort();
			return entries.map(({ id, time, row }) => ({ id, time, row }));
		},
	};
}

/**
 * Returns a new cursor that also counts `entries` as processed.
 *
 * @param marks deduplication keys of processed events, each with its Unix time in seconds
 * @param now current Unix time in seconds, according to n8n's clock
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
	const floor = Math.max(before.floor, newest - cursorOverlapSeconds, bound);
	return { floor, seen: Object.fromEntries(seen.filter(([, time]) => time >= floor)) };
}
