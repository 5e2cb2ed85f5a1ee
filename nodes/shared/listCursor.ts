/**
 * Tracks how far a trigger has read a list, and finds entries added since then.
 *
 * The position in the list is stored as a cursor: a time, and the IDs of all processed entries that
 * are not older than that time. An entry is new if it is not older than the cursor's time and the
 * cursor does not contain its ID. The trigger therefore finds an entry even if the entry appears
 * late or has the same timestamp as a processed entry. The cursor's time never moves past n8n's
 * clock. Otherwise, an entry with a future timestamp would hide current entries.
 */
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../core/http/client';
import type { ServiceRequest } from '../core/http/sendWithRetries';
import { toUnixSeconds } from '../core/time';

/** Position in a polled list. All entries before it have been processed. Stored as JSON. */
export interface Cursor {
	/** The cursor's time, in Unix seconds. All older entries count as processed. */
	floor: number;
	/**
	 * Processed entries that are not older than the cursor's time. Maps each entry's ID or
	 * deduplication key to the entry's Unix time in seconds.
	 */
	seen: Readonly<Record<string, number>>;
}

/** Unprocessed entry of a polled list. */
export interface ListEntry {
	id: string;
	/** Creation time in Unix seconds, according to the service's clock. */
	time: number;
	row: IDataObject;
}

/**
 * How late, in seconds, an entry may appear in a list without being missed by the polling trigger.
 */
export const cursorOverlapSeconds = 15 * 60;

/**
 * Approximate maximum number of entry IDs and deduplication keys in a cursor. If a list gains more
 * entries than this within 15 minutes, the trigger may miss entries that appear late.
 */
export const maxSeenIds = 5_000;

/** Options for finding the new entries of a list. */
export interface NewEntryCollectorOptions {
	/**
	 * Cursor stored by the previous poll. If no cursor is stored, a number: the maximum number of
	 * seconds by which a returned entry may be older than the newest entry.
	 */
	position: Cursor | number;
	/** Maximum number of entries to return, oldest first. Ignored if no cursor is stored. */
	maxEntries: number;
	/**
	 * Number of new entries after which no more pages of the list are read. Applies only if the
	 * list is sorted newest first. Older entries are then skipped.
	 */
	maxNewest?: number;
	/** Returns the ID of an entry, or undefined if the entry should be skipped. */
	idOf(row: IDataObject): string | undefined;
	/** Current Unix time in seconds, according to n8n's clock. */
	now: number;
}

/**
 * Creates an object that finds new entries in a list. If the list is sorted newest first, the
 * caller only needs to read the pages with new entries; otherwise, it must read all pages.
 */
export function createNewEntryCollector({
	position,
	maxEntries,
	maxNewest = Infinity,
	idOf,
	now,
}: NewEntryCollectorOptions) {
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
	/** Whether the list is sorted oldest first. Used to order entries with equal timestamps. */
	const isAscending = () => rises && !falls;
	const sort = () =>
		entries.sort(
			(a, b) => a.time - b.time || (isAscending() ? a.place - b.place : b.place - a.place),
		);

	/**
	 * If a cursor is stored, keeps only the oldest entries, up to the maximum number. Otherwise,
	 * keeps all entries that are not older than the maximum age.
	 */
	const cut = () => {
		entries = hasCursor
			? sort().slice(0, maxEntries)
			: entries.filter(({ time }) => time >= getFloor());
	};

	return {
		/**
		 * Processes the next page of rows. Returns true once all new entries have been found and no
		 * more pages are needed.
		 */
		take(rows: readonly IDataObject[]): boolean {
			const first = rows
				.map((row) => toUnixSeconds(row.created_at, 'UTC'))
				.find((time) => time !== undefined);
			for (const row of rows) {
				const createdAt = toUnixSeconds(row.created_at, 'UTC');
				if (createdAt !== undefined) {
					// Slight disorder does not count, because some entries appear late.
					if (createdAt > oldest + cursorOverlapSeconds) rises = true;
					if (createdAt < newest - cursorOverlapSeconds) falls = true;
					newest = Math.max(newest, createdAt);
					oldest = Math.min(oldest, createdAt);
				}
				// A row without a timestamp counts as being as old as its neighbors.
				const time = createdAt ?? last ?? first ?? (hasCursor ? position.floor : 0);
				last = time;
				const id = idOf(row);
				if (id === undefined || knownIds.has(id) || time < getFloor()) continue;
				knownIds.add(id);
				if (!hasCursor || !Object.hasOwn(position.seen, id))
					entries.push({ id, time, row, place: ++place });
			}
			if (entries.length > 2 * maxEntries) cut();
			const isPast = oldest < getFloor() - cursorOverlapSeconds;
			return falls && !rises && (isPast || entries.length > maxNewest);
		},
		/**
		 * Returns the new entries, oldest first. If there are too many, omits the newest entries,
		 * which a later poll returns.
		 */
		getEntries(): ListEntry[] {
			cut();
			sort();
			return entries.map(({ id, time, row }) => ({ id, time, row }));
		},
	};
}

const pageSize = 100;

/** Reads a list's pages until all new entries are found. Returns these entries, oldest first. */
export async function readNewEntries(
	client: Client,
	request: ServiceRequest,
	options: NewEntryCollectorOptions,
): Promise<ListEntry[]> {
	const collector = createNewEntryCollector(options);
	for await (const { rows } of client.fetchPages(request, pageSize)) {
		if (collector.take(rows)) break;
	}
	return collector.getEntries();
}

/**
 * Returns the cursor to store once the given entries have been processed.
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
