/**
 * Reads the status of jobs. All status requests are sent from here.
 *
 * Some kinds of job have a batched lookup for the statuses of up to 100 jobs. Simultaneous reads in
 * this process share it if the kind of job and the account are the same. The lookup shows only
 * which jobs are still pending. All other jobs are requested individually, and so is a job that is
 * the only one being read.
 */
import type { IDataObject } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import { getErrorDetails, isNotFound, isTransient } from '../errors/errorDetails';
import { toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import { readObjects, readText } from '../json';
import { recordJobState } from './runningJobs';
import {
	addFollowUpResult,
	findFollowUpJob,
	isUnchangedSinceContinued,
	readOutcome,
	readState,
} from './state';
import type { FailedOutcome, Job, JobKind, SuccessfulOutcome } from './types';

/** Maximum number of IDs in one lookup (docs/service.md, Limits). */
const maxIdsPerLookup = 100;

/** Milliseconds during which reads are collected into one lookup. */
const gatherTime = 100;

/**
 * Number of polls after which a missing job does not exist. Reads of the service can lag behind
 * creates.
 */
const pollsBeforeNotFound = 3;

/** Batched lookup that all reads of one kind of job on one account share. */
export interface SharedLookup {
	/** Number of reads and waits in progress. */
	readers: number;
	/** Whether the service has no lookup for this kind of job. */
	isUnsupported: boolean;
	/** Next lookup to be sent: its IDs so far, and a promise of the entries that it returns. */
	next?: { ids: Set<string>; entries: Promise<IDataObject[]> };
}

/** Shared lookups by account and kind of job. */
const sharedLookups = createBoundedMap<SharedLookup>(1_000, 3600);

/** Runs a function that reads jobs, and counts it as a reader of the shared lookup meanwhile. */
export async function withSharedLookup<T>(
	client: Client,
	{ name, batchedStatus }: JobKind,
	read: (lookup: SharedLookup) => Promise<T>,
): Promise<T> {
	const lookup = sharedLookups.getOrCreate(`${client.account} ${name}`, () => ({
		readers: 0,
		isUnsupported: batchedStatus === undefined,
	}));
	lookup.readers++;
	try {
		return await read(lookup);
	} finally {
		lookup.readers--;
	}
}

/** Opens a shared lookup. Other reads can add their IDs until its request is sent. */
function startLookup(client: Client, kind: JobKind, lookup: SharedLookup) {
	const { line = '', query = '' } = kind.batchedStatus ?? {};
	const ids = new Set<string>();
	const requestEntries = async () => {
		await clock.sleep(gatherTime);
		if (lookup.next?.ids === ids) lookup.next = undefined;
		const outcome = await client.tryRequest({ line, query: { [query]: [...ids].join(',') } });
		if (outcome.ok) return readObjects(outcome.reply.data);
		const { status } = getErrorDetails(outcome.error);
		if (![404, 405, 501].includes(Number(status))) throw outcome.error;
		lookup.isUnsupported = true;
		return [];
	};
	return { ids, entries: requestEntries() };
}

/**
 * Returns the status of a job from the next batched lookup, if the lookup shows it as pending;
 * otherwise undefined, and the caller must request the job alone.
 */
async function lookUpPending(
	client: Client,
	{ kind, id }: Job,
	lookup: SharedLookup,
): Promise<IDataObject | undefined> {
	if (!lookup.next || lookup.next.ids.size >= maxIdsPerLookup) {
		lookup.next = startLookup(client, kind, lookup);
	}
	const { ids, entries } = lookup.next;
	ids.add(id);
	// Lookups of all kinds of job use this key for the ID (docs/service.md, Conventions).
	const entry = (await entries).find(({ video_id }) => video_id === id);
	const status = readText(entry?.status);
	if (status === undefined || status === 'not_found') return undefined;
	return readState(kind, { status }) === 'pending' ? { status } : undefined;
}

/** Options for reading jobs. */
export interface ReadPolicy {
	/** Number of earlier reads. A job that is missing at first may still appear. */
	attempt: number;
	/**
	 * Whether even a single job is read through the lookup, and a failed lookup is an error. For
	 * callers with up to 1,000 jobs, which must not request each of them.
	 */
	requiresLookup?: boolean;
}

/**
 * Returns the status response of a job. While a lookup shows the job as pending, it contains only
 * the status.
 */
async function readStatus(
	client: Client,
	job: Job,
	lookup: SharedLookup,
	requiresLookup = false,
): Promise<IDataObject> {
	if (!lookup.isUnsupported && (lookup.readers > 1 || requiresLookup)) {
		try {
			const pending = await lookUpPending(client, job, lookup);
			if (pending) return pending;
		} catch (error) {
			if (requiresLookup) throw toNodeError(client.node, error);
		}
	}
	return await fetchJob(client, job);
}

/**
 * Whether a failed read may succeed later: the service has a temporary problem, or the job is new.
 */
export const canReadLater = (error: unknown, attempt: number) =>
	isTransient(error) || (isNotFound(error) && attempt < pollsBeforeNotFound);

/** Fetches the status response of a job, from the endpoint for a single job. */
export const fetchJob = async (
	client: Client,
	{ kind, id }: { kind: Pick<JobKind, 'id' | 'read' | 'query'>; id: string },
	query?: IDataObject,
): Promise<IDataObject> =>
	await client.fetchData({
		line: kind.read,
		path: { [kind.id]: id },
		query: query ? { ...kind.query, ...query } : kind.query,
	});

/**
 * Returns the status response of a batch with all of its entries. The service may send only the
 * first entries, with a token for the next page (docs/service.md, Resources).
 */
export async function readAllBatchEntries(
	client: Client,
	batch: Job,
	data: IDataObject,
): Promise<IDataObject> {
	if (data.has_more !== true) return data;
	const items = readObjects(data.items);
	const seen = new Set<string>();
	for (let page = data; page.has_more === true;) {
		const token = readText(page.next_token);
		// A repeated token would make the list endless.
		if (token === undefined || seen.has(token)) break;
		seen.add(token);
		page = await fetchJob(client, batch, { token });
		items.push(...readObjects(page.items));
	}
	return { ...data, items, has_more: false, next_token: null };
}

/** Job whose status could not be read. */
export interface UnreadableJob {
	outcome: 'unreadable';
	job: Job;
	error: unknown;
	/** Whether a later read may succeed. */
	isTransient: boolean;
}

/** Result of checking the status of a job once. */
export type JobCheck = (
	SuccessfulOutcome | FailedOutcome | UnreadableJob | { outcome: 'pending'; job: Job }
) & {
	/** Response of the first job, if the result is that of a job that follows it. */
	parent?: IDataObject;
};

/**
 * Checks the status of several jobs once and at the same time. If a job is completed, the job that
 * follows it is checked, too.
 */
export const readJobs = async (
	client: Client,
	jobs: readonly Job[],
	policy: ReadPolicy,
): Promise<JobCheck[]> =>
	await Promise.all(
		jobs.map(
			async (job) =>
				await withSharedLookup(
					client,
					job.kind,
					async (lookup) => await checkJob(client, job, policy, lookup),
				),
		),
	);

/**
 * Adds all batch entries to the outcome of a completed job. Its response is the result if no other
 * job follows.
 */
async function fetchFullOutcome(
	client: Client,
	outcome: SuccessfulOutcome,
): Promise<SuccessfulOutcome> {
	const { job } = outcome;
	const data = await readAllBatchEntries(client, job, outcome.data);
	return { ...outcome, data, ...(job.kind.next ? {} : { result: { ...job, data } }) };
}

/** Status of a job after one read, with its outcome if it has ended. */
export interface JobStatus {
	response: IDataObject;
	outcome?: SuccessfulOutcome | FailedOutcome;
	/** Job that follows a completed job, if any. */
	next?: Job;
}

/** Reads the status of a job once. Throws if the status cannot be read. */
export async function readJob(
	client: Client,
	job: Job,
	lookup: SharedLookup,
	requiresLookup = false,
): Promise<JobStatus> {
	const response = await readStatus(client, job, lookup, requiresLookup);
	if (isUnchangedSinceContinued(job, response)) return { response };
	const outcome = readOutcome(job, response, client.removeSecrets);
	recordJobState(client, job, outcome === undefined);
	if (outcome?.outcome !== 'completed') return { response, outcome };
	const completed = await fetchFullOutcome(client, outcome);
	return { response, outcome: completed, next: findFollowUpJob(job, completed.data) };
}

async function checkJob(
	client: Client,
	job: Job,
	{ attempt, requiresLookup }: ReadPolicy,
	lookup: SharedLookup,
): Promise<JobCheck> {
	try {
		const { outcome, next } = await readJob(client, job, lookup, requiresLookup);
		if (outcome === undefined) return { outcome: 'pending', job };
		if (outcome.outcome === 'failed' || !next) return outcome;
		const [check = outcome] = await readJobs(client, [next], { attempt });
		return check.outcome === 'completed' || check.outcome === 'resting'
			? addFollowUpResult(outcome, check)
			: { ...check, parent: outcome.data };
	} catch (error) {
		return { outcome: 'unreadable', job, error, isTransient: canReadLater(error, attempt) };
	}
}
