/**
 * Defines the lists that the polling trigger can read: lists of jobs, and the list of events that
 * the service has delivered. In a list of jobs, each ended job counts as an event.
 */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { readFailureWithDefaults, decideJobState } from '../core/jobs/jobState';
import type { PolledJobEventSource, JobKind } from '../core/jobs/types';
import { getOwnProperty, isObject, readId, readText } from '../core/json';
import { toUnixSeconds } from '../core/time';
import { clippingJob, agentSessionJob, translationJob, videoJob } from '../jobKinds/catalog';
import type { ListEntry, Cursor } from '../shared/listCursor';

/**
 * Kind of job that the polling trigger supports. The service must be able to list jobs of this
 * kind.
 */
export type PollableJobKind = JobKind & { events: PolledJobEventSource };

const isWatchedKind = (kind: JobKind | undefined): kind is PollableJobKind =>
	kind?.events !== undefined;

const kindsBySource: Readonly<Record<string, JobKind>> = {
	clippings: clippingJob,
	sessions: agentSessionJob,
	translations: translationJob,
	videos: videoJob,
};

/**
 * Returns the kind of job selected in the form field Source, or undefined if delivered events are
 * selected.
 */
export function getPollableJobKind(source: string): PollableJobKind | undefined {
	const kind = getOwnProperty(kindsBySource, source);
	return isWatchedKind(kind) ? kind : undefined;
}

/** Reads a job's ID from a row of a job list. */
export const readJobId = (kind: JobKind, row: IDataObject) =>
	readId(row[kind.id]) ?? readId(row.id);

const removeEmpty = (data: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(data).filter(([, value]) => value !== undefined && value !== null),
	);

/**
 * Creates an event for a job that has ended, in the same format as the events that the service
 * delivers to webhooks.
 *
 * @param now current Unix time in seconds, used as the event's time if the response has no end time
 */
export function createJobEvent(
	kind: PollableJobKind,
	id: string,
	response: IDataObject,
	now: number,
): IDataObject {
	const { events } = kind;
	const hasFailed = decideJobState(kind, response) === 'failed';
	const type = `${events.type}.${hasFailed ? 'fail' : 'success'}`;
	const endedAt = toUnixSeconds(response.completed_at, 'UTC') ?? now;
	const data = removeEmpty(events.toEventData(response));
	return {
		// The ID is the same at every poll, so that a repeated event is recognized.
		event_id: `${type}:${id}`,
		event_type: type,
		event_data: hasFailed
			? { ...data, [events.reasonKey]: readFailureWithDefaults(response).reason }
			: data,
		created_at: new Date(endedAt * 1000).toISOString(),
	};
}

const hashValue = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

/**
 * Returns a delivered event's ID, or a hash of the event if it has no ID. Returns undefined if the
 * row is not an event.
 */
export function readEventId(row: IDataObject): string | undefined {
	if (readText(row.event_type) === undefined) return undefined;
	return readText(row.event_id) ?? hashValue(row);
}

/**
 * Maximum time, in seconds, between duplicates of a delivered event. Two events with the same type
 * and data count as duplicates if their times differ by no more than this.
 */
const duplicateWindow = 60;

/**
 * Removes duplicates from a list of delivered events. If the service has sent an event to two URLs,
 * the list contains the event twice, with different IDs.
 *
 * @param seen deduplication keys of processed events, each with its Unix time in seconds
 * @param entries new entries, oldest first
 * @returns the remaining entries, and deduplication keys that let later polls recognize duplicates
 * of these entries
 */
export function removeDuplicateEvents(
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
