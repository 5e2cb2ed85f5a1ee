/**
 * Jobs that had not ended when their list was read. A list stands in the order of creation: it does
 * not tell what has ended since, so these are looked up, each by its id, until they end.
 */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../core/clock';
import { factsOf, isGone } from '../core/errors/facts';
import type { Client } from '../core/http/client';
import { stateOf } from '../core/jobs/job';
import { isObject, objectOf, objectsOf, textOf } from '../core/json';
import { looks } from '../core/memory';
import { videoJob } from '../jobs';
import type { ListSource } from './sources';

/** Jobs by id, with the time of their creation (Unix seconds). */
export type Watched = Readonly<Record<string, number>>;

/** Most ids of one lookup (docs/service.md, Limits). */
const mostIds = 100;

/** Between two looks at a single job lies at least this share of its age: one may rest for weeks. */
const patience = 0.05;

/** A job by its id, with the address of its film; nothing while it goes on, null where it is gone. */
export async function readJob(
	client: Client,
	{ job }: ListSource,
	id: string,
): Promise<IDataObject | undefined | null> {
	const outcome = await client.attempt({ line: job.read, path: { [job.id]: id } });
	if (!outcome.ok) {
		if (isGone(outcome.error)) return null;
		throw outcome.error;
	}
	const { reply } = outcome;
	const reading = isObject(reply.data) ? reply.data : reply;
	if (stateOf(job, reading) === 'pending') return undefined;
	const film = textOf(reading.video_id);
	if (job.then === undefined || film === undefined || stateOf(job, reading) === 'failed')
		return reading;
	// The event is told when the film can be had.
	const found = await client.attempt({ line: videoJob.read, path: { video_id: film } });
	if (!found.ok) return reading;
	const video = objectOf(found.reply.data);
	const state = stateOf(videoJob, video);
	if (state === 'pending') return undefined;
	const { video_url, completed_at, failure_code, failure_message } = video;
	const failure = { status: 'failed', failure_code, failure_message };
	return { ...reading, video_url, completed_at, ...(state === 'failed' ? failure : {}) };
}

/** Of these, the ids that one lookup for many does not call pending; all of them where there is none. */
async function moved(client: Client, { job }: ListSource, ids: string[]): Promise<string[]> {
	const { line, query } = job.statuses ?? {};
	if (line === undefined || query === undefined) return ids;
	const left: string[] = [];
	for (let at = 0; at < ids.length; at += mostIds) {
		const some = ids.slice(at, at + mostIds);
		const outcome = await client.attempt({ line, query: { [query]: some.join(',') } });
		if (!outcome.ok) {
			if (![404, 405, 501].includes(Number(factsOf(outcome.error).status))) throw outcome.error;
			return ids;
		}
		// Every kind calls the id of its job so (docs/service.md, Conventions).
		const rows = new Map(objectsOf(outcome.reply.data).map((row) => [row.video_id, row]));
		const isPending = (row: IDataObject | undefined) =>
			row !== undefined && row.status !== 'not_found' && stateOf(job, row) === 'pending';
		left.push(...some.filter((id) => !isPending(rows.get(id))));
	}
	return left;
}

/** Whether it is time to look at a single job again. */
function isDue(key: string, created: number): boolean {
	const last = looks.get(key);
	const now = clock.now();
	if (last !== undefined && now - last < patience * (now - created * 1000)) return false;
	looks.set(key, now);
	return true;
}

/**
 * Looks at watched jobs.
 *
 * @param place of the trigger, for its own pace
 * @returns what those that have ended came to, by id; null for those that are gone
 */
export async function lookAt(
	client: Client,
	source: ListSource,
	place: string,
	watched: Watched,
): Promise<Map<string, IDataObject | null>> {
	const all = Object.keys(watched);
	const ids = source.job.statuses
		? await moved(client, source, all)
		: all.filter((id) => isDue(`${place} ${id}`, watched[id] ?? 0));
	const readings = await Promise.all(ids.map(async (id) => await readJob(client, source, id)));
	const over = new Map<string, IDataObject | null>();
	for (const [i, id] of ids.entries()) {
		const reading = readings[i];
		if (reading !== undefined) over.set(id, reading);
	}
	return over;
}
