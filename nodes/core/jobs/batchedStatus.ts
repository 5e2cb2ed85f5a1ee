/**
 * One look for many jobs: all waits of this process that use one account and wait for one kind of
 * job ask for the status of up to 100 of them in one request. A wait that is alone, and one whose
 * job has moved, reads its job itself; so does each where the service has no such lookup.
 */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../clock';
import { getErrorDetails } from '../errors/errorDetails';
import type { Client } from '../http/client';
import { readObjects, readText } from '../json';
import { statusReaders, type BatchedStatus } from '../memory';
import { readState, type JobKind } from './state';

/** Most ids of one lookup (docs/service.md, Limits). */
const maxIdsPerLookup = 100;

/** How long looks are gathered before they go as one (milliseconds). */
const gatherTime = 100;

/** The reader of a kind of job on the account of the client. */
export const getBatchedStatus = (
	client: Client,
	{ name: kind, batchedStatus: statuses }: JobKind,
): BatchedStatus =>
	statusReaders.getOrCreate(`${client.account} ${kind}`, () => ({
		waiting: 0,
		unsupported: statuses === undefined,
		asked: new Map(),
	}));

/** Grids on which shared pauses end (milliseconds): few of them, or each wait would have its own. */
const pollGrids = [5000, 2000, 1000, 500, 200];

/**
 * A pause that ends together with those of others: on a grid of at most a fifth of it.
 *
 * @param now Unix time in milliseconds
 * @param pause milliseconds
 */
export function alignPause(now: number, pause: number): number {
	const grid = pollGrids.find((one) => one <= pause / 5);
	return grid === undefined ? pause : Math.ceil((now + pause) / grid) * grid - now;
}

/** Sends one lookup for all that were asked for; each is told its entry, or that there is none. */
async function requestStatuses(client: Client, job: JobKind, reader: BatchedStatus): Promise<void> {
	const asked = [...reader.asked].slice(0, maxIdsPerLookup);
	for (const [id] of asked) reader.asked.delete(id);
	const { line = '', query = '' } = job.batchedStatus ?? {};
	const ids = asked.map(([id]) => id);
	const outcome = await client.tryRequest({ line, query: { [query]: ids.join(',') } });
	if (!outcome.ok && [404, 405, 501].includes(Number(getErrorDetails(outcome.error).status))) {
		reader.unsupported = true;
	}
	const rows = outcome.ok ? readObjects(outcome.reply.data) : [];
	for (const [id, tellers] of asked) {
		// Every kind calls the id of its job so (docs/service.md, Conventions).
		const entry = rows.find((row) => row.video_id === id);
		for (const tell of tellers) tell(entry);
	}
}

/**
 * What one look for many says of a job: a reading with its status word while it has not moved, or
 * nothing where the job must be read itself.
 */
export async function readBatchedStatus(
	client: Client,
	job: JobKind,
	id: string,
): Promise<IDataObject | undefined> {
	const reader = getBatchedStatus(client, job);
	if (reader.unsupported || reader.waiting < 2) return undefined;
	const leads = reader.asked.size === 0;
	const entry = new Promise<IDataObject | undefined>((tell) => {
		reader.asked.set(id, [...(reader.asked.get(id) ?? []), tell]);
	});
	if (leads) {
		// Whoever asks first sends for all; where that fails, each reads its own job.
		await clock.sleep(gatherTime);
		while (reader.asked.size > 0) await requestStatuses(client, job, reader);
	}
	const status = readText((await entry)?.status);
	const reading = { status };
	return status !== undefined && status !== 'not_found' && readState(job, reading) === 'pending'
		? reading
		: undefined;
}
