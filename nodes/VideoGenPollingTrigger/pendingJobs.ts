/**
 * Jobs that had not ended when their list was read. A list stands in the order of creation: it does
 * not tell what has ended since, so these are looked up, each by its id, until they end.
 */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../core/clock';
import { getErrorDetails, isNotFound } from '../core/errors/errorDetails';
import type { Client } from '../core/http/client';
import { readState } from '../core/jobs/state';
import { isObject, readObject, readObjects, readText } from '../core/json';
import { lastChecks } from '../core/memory';
import { videoJob } from '../jobs/catalog';
import type { JobListSource } from './sources';

/** Jobs by id, with the time of their creation (Unix seconds). */
export type PendingJobs = Readonly<Record<string, number>>;

/** Most ids of one lookup (docs/service.md, Limits). */
const maxStatusIds = 100;

/** Between two looks at a single job lies at least this share of its age: one may rest for weeks. */
const checkInterval = 0.05;

/** A job by its id, with the address of its film; nothing while it goes on, null where it is gone. */
export async function readPendingJob(
	client: Client,
	{ job }: JobListSource,
	id: string,
): Promise<IDataObject | undefined | null> {
	const outcome = await client.tryRequest({ line: job.read, path: { [job.id]: id } });
	if (!outcome.ok) {
		if (isNotFound(outcome.error)) return null;
		throw outcome.error;
	}
	const { reply } = outcome;
	const reading = isObject(reply.data) ? reply.data : reply;
	if (readState(job, reading) === 'pending') return undefined;
	const film = readText(reading.video_id);
	if (job.next === undefined || film === undefined || readState(job, reading) === 'failed')
		return reading;
	// The event is told when the film can be had.
	const found = await client.tryRequest({ line: videoJob.read, path: { video_id: film } });
	if (!found.ok) return reading;
	const video = readObject(found.reply.data);
	const state = readState(videoJob, video);
	if (state === 'pending') return undefined;
	const { video_url, completed_at, failure_code, failure_message } = video;
	const failure = { status: 'failed', failure_code, failure_message };
	return { ...reading, video_url, completed_at, ...(state === 'failed' ? failure : {}) };
}

/** Of these, the ids that one lookup for many does not call pending; all of them where there is none. */
async function findChangedJobs(
	client: Client,
	{ job }: JobListSource,
	ids: string[],
): Promise<string[]> {
	const { line, query } = job.batchedStatus ?? {};
	if (line === undefined || query === undefined) return ids;
	const left: string[] = [];
	for (let at = 0; at < ids.length; at += maxStatusIds) {
		const some = ids.slice(at, at + maxStatusIds);
		const outcome = await client.tryRequest({ line, query: { [query]: some.join(',') } });
		if (!outcome.ok) {
			if (![404, 405, 501].includes(Number(getErrorDetails(outcome.error).status)))
				throw outcome.error;
			return ids;
		}
		// Every kind calls the id of its job so (docs/service.md, Conventions).
		const rows = new Map(readObjects(outcome.reply.data).map((row) => [row.video_id, row]));
		const isPending = (row: IDataObject | undefined) =>
			row !== undefined && row.status !== 'not_found' && readState(job, row) === 'pending';
		left.push(...some.filter((id) => !isPending(rows.get(id))));
	}
	return left;
}

/** Whether it is time to look at a single job again. */
function isDue(key: string, created: number): boolean {
	const last = lastChecks.get(key);
	const now = clock.now();
	if (last !== undefined && now - last < checkInterval * (now - created * 1000)) return false;
	lastChecks.set(key, now);
	return true;
}

/**
 * Looks at watched jobs.
 *
 * @param place of the trigger, for its own pace
 * @returns what those that have ended came to, by id; null for those that are gone
 */
export async function checkPendingJobs(
	client: Client,
	source: JobListSource,
	place: string,
	watched: PendingJobs,
): Promise<Map<string, IDataObject | null>> {
	const all = Object.keys(watched);
	const ids = source.job.batchedStatus
		? await findChangedJobs(client, source, all)
		: all.filter((id) => isDue(`${place} ${id}`, watched[id] ?? 0));
	const readings = await Promise.all(
		ids.map(async (id) => await readPendingJob(client, source, id)),
	);
	const over = new Map<string, IDataObject | null>();
	for (const [i, id] of ids.entries()) {
		const reading = readings[i];
		if (reading !== undefined) over.set(id, reading);
	}
	return over;
}
