/**
 * Tracks jobs that were still running when the polling trigger found them, and detects when they
 * end. The service's job lists are sorted by creation time, so a job that ends does not appear in
 * them as a new entry.
 */
import type { IDataObject } from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { isNotFoundError } from '../core/errors/errorDetails';
import type { Client } from '../core/http/client';
import { toNodeError } from '../core/errors/nodeErrors';
import { readJob, withSharedStatusLookup, classifyStatusReadError } from '../core/jobs/readJobs';
import type { Job, JobKind } from '../core/jobs/types';

/** Running jobs: maps each job's ID to its creation time in Unix seconds. */
export type PendingJobs = Readonly<Record<string, number>>;

/**
 * Minimum time between two status checks of a running job, as a fraction of the job's age. The
 * older a job is, the less often it is checked, because some jobs (agent sessions) can stay idle
 * for weeks.
 */
const checkInterval = 0.05;

/**
 * Time of the last status check of each running job, in Unix milliseconds, keyed by trigger and job
 * ID.
 */
const lastChecks = createBoundedMap<number>(10_000, 30 * 24 * 3600);

/**
 * Returns whether a running job is due for a status check. If so, records the current time as the
 * job's last check.
 */
function isDue(key: string, created: number): boolean {
	const last = lastChecks.get(key);
	const now = clock.now();
	if (last !== undefined && now - last < checkInterval * (now - created * 1000)) return false;
	lastChecks.set(key, now);
	return true;
}

/** Results of checking the statuses of several jobs. Jobs that are still running are omitted. */
interface EndedJobs {
	/** Status response of each ended job, keyed by job ID. Null for a deleted job. */
	ended: Map<string, IDataObject | null>;
	/** Error for each job whose status could not be read, keyed by job ID. */
	errors: Map<string, unknown>;
}

/**
 * Returns a job's status response if the job has ended, undefined if it is still running, or null
 * if it was deleted. If the outcome depends on a follow-up job, such as an agent session's video,
 * the returned response also contains the follow-up job's outcome.
 */
async function readEndedJob(client: Client, job: Job): Promise<IDataObject | undefined | null> {
	const reading = await withSharedStatusLookup(
		client,
		job.kind,
		async (lookup) => await readJob(client, job, lookup),
		true,
	).catch((error: unknown) => {
		if (isNotFoundError(error)) return null;
		throw toNodeError(client.node, error);
	});
	if (!reading) return null;
	const { error, outcome, response } = reading;
	if (error !== undefined) {
		// The session has ended, even if its video can never be read.
		if (classifyStatusReadError(error, Infinity) === 'final') return response;
		throw toNodeError(client.node, error);
	}
	if (!outcome) return undefined;
	const { data } = outcome;
	if (outcome.outcome !== 'failed') {
		// A session ends when its video does.
		const { completed_at } = outcome.result?.data ?? data;
		return { ...data, completed_at };
	}
	const { parent = data, code, reason } = outcome;
	if (parent === data && !outcome.job.kind.next) return data;
	const { video_url, completed_at } = data;
	const failure = { error: undefined, failure_code: code, failure_message: reason };
	return { ...parent, video_url, completed_at, status: 'failed', ...failure };
}

/**
 * Checks the status of jobs once. Returns the status responses of the jobs that have ended, and an
 * error for each job whose status could not be read.
 */
export async function readEndedJobs(
	client: Client,
	kind: JobKind,
	ids: readonly string[],
): Promise<EndedJobs> {
	const ended: EndedJobs['ended'] = new Map();
	const errors: EndedJobs['errors'] = new Map();
	const readings = await Promise.allSettled(
		ids.map(async (id) => await readEndedJob(client, { kind, id })),
	);
	for (const [i, id] of ids.entries()) {
		const reading = readings[i] as (typeof readings)[number];
		if (reading.status === 'rejected') errors.set(id, reading.reason);
		else if (reading.value !== undefined) ended.set(id, reading.value);
	}
	return { ended, errors };
}

/**
 * Checks the running jobs that a polling trigger tracks. If the status of each job must be fetched
 * in a separate request, checks older jobs less often to limit the number of requests.
 *
 * @param place IDs of the trigger's workflow and node
 */
export async function checkPendingJobs(
	client: Client,
	kind: JobKind,
	place: string,
	pending: PendingJobs,
): Promise<EndedJobs> {
	const ids = Object.keys(pending);
	const due = kind.batchedStatus
		? ids
		: ids.filter((id) => isDue(`${place} ${id}`, pending[id] ?? 0));
	return await readEndedJobs(client, kind, due);
}
