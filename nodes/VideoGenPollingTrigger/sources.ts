/** What can be asked for news: the delivered events, or the lists of what has been made. */
import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { describeFailure, readState, type JobKind } from '../core/jobs/state';
import { isObject, readText } from '../core/json';
import { toUnixSeconds } from '../core/time';
import { clippingJob, sessionJob, translationJob, videoJob } from '../jobs/catalog';
import type { ListEntry, Cursor } from './cursor';

/** A list whose rows are jobs. */
export interface JobListSource {
	job: JobKind;
	line: string;
	/** The event that tells of such a job, without its ending, and its data. */
	event: string;
	dataOf(reading: IDataObject): IDataObject;
	/** The key under which a failure gives its reason. */
	reason: string;
}

/** Lists by the value of the field Source. Their data have the keys of the events (docs/service.md, Events and deliveries). */
export const jobListSources: Readonly<Record<string, JobListSource>> = {
	clippings: {
		job: clippingJob,
		line: 'GET /v3/ai-clipping',
		event: 'ai_clipping',
		dataOf: (reading) => reading,
		reason: 'failure_message',
	},
	sessions: {
		job: sessionJob,
		line: 'GET /v3/video-agents',
		event: 'video_agent',
		dataOf: ({ session_id, video_id, title, video_url }) => ({
			session_id,
			video_id,
			url: video_url,
			title,
		}),
		reason: 'msg',
	},
	translations: {
		job: translationJob,
		line: 'GET /v3/video-translations',
		event: 'video_translate',
		dataOf: ({ id, title, video_url, audio_url, output_language, callback_id }) => ({
			video_translate_id: id,
			url: video_url ?? audio_url,
			output_language,
			callback_id,
			title,
		}),
		reason: 'message',
	},
	videos: {
		job: videoJob,
		line: 'GET /v3/videos',
		event: 'avatar_video',
		dataOf: ({ id, title, video_url, gif_url, video_page_url, folder_id }) => ({
			video_id: id,
			url: video_url,
			gif_download_url: gif_url,
			video_page_url,
			folder_id,
			title,
		}),
		reason: 'msg',
	},
};

/** The id of a job in a row of its list. */
export const readJobId = ({ job }: JobListSource, row: IDataObject) =>
	readText(row[job.id]) ?? readText(row.id);

/** Keys that say something. */
const removeEmpty = (data: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(data).filter(([, value]) => value !== undefined && value !== null),
	);

/**
 * The event that would have told of a job that has ended.
 *
 * @param now Unix seconds: stands for the time of the end where the service does not tell it
 */
export function createJobEvent(
	source: JobListSource,
	id: string,
	reading: IDataObject,
	now: number,
): IDataObject {
	const failed = readState(source.job, reading) === 'failed';
	const type = `${source.event}.${failed ? 'fail' : 'success'}`;
	const ended = toUnixSeconds(reading.completed_at) ?? now;
	const data = removeEmpty(source.dataOf(reading));
	return {
		// The same whenever it is found.
		event_id: `${type}:${id}`,
		event_type: type,
		event_data: failed ? { ...data, [source.reason]: describeFailure(reading).reason } : data,
		created_at: new Date(ended * 1000).toISOString(),
	};
}

const hashValue = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

/** The id of a row of the list of events; nothing where the row is no event. */
export function readEventId(row: IDataObject): string | undefined {
	if (readText(row.event_type) === undefined) return undefined;
	return readText(row.event_id) ?? hashValue(row);
}

/** Records of one event lie so close together (seconds). */
const copyWindow = 60;

/**
 * Leaves one record of each event. The service lists what it has delivered: an event that went to
 * two addresses stands there twice, each time with an id of its own.
 *
 * @param entries the oldest first
 * @returns also what tells further records of them, with their times
 */
export function removeCopies(
	seen: Cursor['seen'],
	entries: readonly ListEntry[],
): { entries: ListEntry[]; marks: Record<string, number> } {
	const marks: Record<string, number> = {};
	const left = entries.filter(({ row, time }) => {
		const { event_type: type, event_data: data } = row;
		// Data that names nothing cannot tell one event from the next.
		if (!isObject(data) || Object.keys(data).length === 0) return true;
		const mark = `#${hashValue([type, data])}`;
		const before = marks[mark] ?? (Object.hasOwn(seen, mark) ? seen[mark] : undefined);
		if (before !== undefined && Math.abs(time - before) <= copyWindow) return false;
		marks[mark] = time;
		return true;
	});
	return { entries: left, marks };
}
