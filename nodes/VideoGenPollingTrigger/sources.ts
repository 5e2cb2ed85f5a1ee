/**
 * Lists that the trigger polls: lists of jobs, where each job that ends becomes an event, and the
 * list of delivered events.
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { describeFailure, readState } from '../core/jobs/state';
import type { JobEvents, JobKind } from '../core/jobs/types';
import { isObject, readText } from '../core/json';
import { toUnixSeconds } from '../core/time';
import { clippingJob, sessionJob, translationJob, videoJob } from '../jobs/catalog';
import type { ListEntry, Cursor } from './cursor';

/** Kind of job that the trigger can watch. */
export type WatchedKind = JobKind & { events: JobEvents };

const isWatchedKind = (kind: JobKind | undefined): kind is WatchedKind =>
	kind?.events !== undefined;

const kindsBySource: Readonly<Record<string, JobKind>> = {
	clippings: clippingJob,
	sessions: sessionJob,
	translations: translationJob,
	videos: videoJob,
};

/** Returns the kind of job for a value of the field Source, or undefined for delivered events. */
export function getWatchedKind(source: string): WatchedKind | undefined {
	const kind = kindsBySource[source];
	return isWatchedKind(kind) ? kind : undefined;
}

/** Returns the job ID in a row of a list of jobs. */
export const readJobId = (kind: JobKind, row: IDataObject) =>
	readText(row[kind.id]) ?? readText(row.id);

const removeEmpty = (data: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(data).filter(([, value]) => value !== undefined && value !== null),
	);

/**
 * Creates the event that the service would deliver for a job that has ended.
 *
 * @param now Unix seconds, used as the time of the event if the response has none
 */
export function createJobEvent(
	kind: WatchedKind,
	id: string,
	response: IDataObject,
	now: number,
): IDataObject {
	const { events } = kind;
	const hasFailed = readState(kind, response) === 'failed';
	const type = `${events.type}.${hasFailed ? 'fail' : 'success'}`;
	const endedAt = toUnixSeconds(response.completed_at) ?? now;
	const data = removeEmpty(events.toEventData(response));
	return {
		// Equal at every poll, so that a repeat is recognized.
		event_id: `${type}:${id}`,
		event_type: type,
		event_data: hasFailed
			? { ...data, [events.reasonKey]: describeFailure(response).reason }
			: data,
		created_at: new Date(endedAt * 1000).toISOString(),
	};
}

const hashValue = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

/** Returns the ID of a row in the list of events, or undefined if the row is not an event. */
export function readEventId(row: IDataObject): string | undefined {
	if (readText(row.event_type) === undefined) return undefined;
	return readText(row.event_id) ?? hashValue(row);
}

/** Maximum number of seconds between two records of the same event. */
const duplicateWindow = 60;

/**
 * Keeps one record of each event. The service lists deliveries: an event sent to two URLs appears
 * twice, with a different ID each time.
 *
 * @param seen marks of processed events, with their Unix time in seconds
 * @param entries oldest first
 * @returns the entries to keep, and marks that identify later records of the same events
 */
export function removeDuplicates(
	seen: Cursor['seen'],
	entries: readonly ListEntry[],
): { entries: ListEntry[]; marks: Record<string, number> } {
	const marks: Record<string, number> = {};
	const left = entries.filter(({ row, time }) => {
		const { event_type: type, event_data: data } = row;
		// Empty data cannot distinguish one event from another.
		if (!isObject(data) || Object.keys(data).length === 0) return true;
		const mark = `#${hashValue([type, data])}`;
		const before = marks[mark] ?? (Object.hasOwn(seen, mark) ? seen[mark] : undefined);
		if (before !== undefined && Math.abs(time - before) <= duplicateWindow) return false;
		marks[mark] = time;
		return true;
	});
	return { entries: left, marks };
}
