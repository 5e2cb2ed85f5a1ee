/**
 * Reads the status of jobs and of their follow-up jobs. All status requests are sent from here.
 *
 * For some kinds of jobs, one request looks up the statuses of up to 100 jobs. Concurrent reads for
 * the same kind and account share such a lookup. It only shows which jobs are still pending. The
 * status of any other job is then requested individually, as is that of a job read alone.
 */
import { type IDataObject, tryToParseDateTime } from 'n8n-workflow';
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import { getErrorDetails, isNotFoundError, isTransientError } from '../errors/errorDetails';
import { createOperationError, toNodeError } from '../errors/nodeErrors';
import type { Client } from '../http/client';
import type { ServiceRequest } from '../http/sendWithRetries';
import { readId, readObjects, readText, unwrapSingleProperty } from '../json';
import {
	findFollowUpJob,
	isStatusBeforeContinuation,
	resolveOutcome,
	decideJobState,
	type JobEvidence,
} from './jobState';
import type { FailedOutcome, FailedReadStreak, Job, JobKind, SuccessfulOutcome } from './types';

/** Maximum number of IDs in a status lookup (service.md, Limits). */
const maxIdsPerLookup = 100;

/** Milliseconds for which a status lookup collects job IDs before it is sent. */
const gatherTime = 100;

/** Status lookup for many jobs, shared by all status reads for one kind of job on one account. */
export interface SharedStatusLookupState {
	/** Number of callers that are reading or awaiting jobs now, and can share the lookup. */
	readers: number;
	/** Whether the service cannot look up several jobs of this kind in one request. */
	isUnsupported: boolean;
	/**
	 * Whether to use the lookup even for a single job, and to fail if the lookup fails. Set by the
	 * polling trigger, which has up to 1,000 jobs. Its requests are also retried more often, because
	 * users see each of its failed polls. A waiting node polls again soon anyway.
	 */
	isRequired: boolean;
	/**
	 * Lookup that is still collecting job IDs. Its entries are `undefined` if the user stops the node
	 * run that started it.
	 */
	next?: { ids: Set<string>; entries: Promise<IDataObject[] | undefined> };
}

const sharedLookups = createBoundedMap<SharedStatusLookupState>(1_000, 3600);

export async function withSharedStatusLookup<T>(
	client: Client,
	{ name, batchedStatus }: JobKind,
	read: (lookup: SharedStatusLookupState) => Promise<T>,
	requiresLookup = false,
): Promise<T> {
	const lookup = sharedLookups.getOrCreate(`${client.account} ${name} ${requiresLookup}`, () => ({
		readers: 0,
		isUnsupported: batchedStatus === undefined,
		isRequired: requiresLookup,
	}));
	lookup.readers++;
	try {
		return await read(lookup);
	} finally {
		lookup.readers--;
	}
}

/**
 * Whether an error means that the account cannot use the lookup. A service without the lookup may
 * read its path as an invalid job ID (400), and a restricted key may lack the scope (403).
 */
function isLookupUnsupported(error: unknown): boolean {
	const status = Number(getErrorDetails(error).status);
	return status === 501 || (status >= 400 && status < 500 && ![401, 429].includes(status));
}

/** Starts a shared status lookup. Callers can add job IDs until its request is sent. */
function startLookup(client: Client, kind: JobKind, lookup: SharedStatusLookupState) {
	const { line = '', query = '' } = kind.batchedStatus ?? {};
	const ids = new Set<string>();
	const requestEntries = async () => {
		await clock.sleep(gatherTime, client.signal).catch(() => undefined);
		if (lookup.next?.ids === ids) lookup.next = undefined;
		if (client.signal.aborted) return undefined;
		const outcome = await client.tryRequest({
			line,
			query: { [query]: [...ids].join(',') },
			isPoll: !lookup.isRequired,
		});
		if (outcome.ok) return readObjects(outcome.reply.data);
		if (client.signal.aborted) return undefined;
		if (!isLookupUnsupported(outcome.error)) throw outcome.error;
		lookup.isUnsupported = true;
		return [];
	};
	return { ids, entries: requestEntries() };
}

/** Returns a job's status if the next lookup lists the job as pending, otherwise `undefined`. */
async function lookUpPending(
	client: Client,
	job: Job,
	lookup: SharedStatusLookupState,
): Promise<IDataObject | undefined> {
	const { kind, id } = job;
	if (!lookup.next || lookup.next.ids.size >= maxIdsPerLookup) {
		lookup.next = startLookup(client, kind, lookup);
	}
	const { ids, entries } = lookup.next;
	ids.add(id);
	const rows = await entries;
	// Another run started the lookup and was stopped.
	if (!rows && !client.signal.aborted) return await lookUpPending(client, job, lookup);
	// Lookups for all kinds of jobs use this key for the ID (service.md, Conventions).
	const entry = rows?.find(({ video_id }) => readId(video_id) === id);
	const status = readText(entry?.status);
	if (status === undefined || status === 'not_found') return undefined;
	return decideJobState(kind, { status }) === 'pending' ? { status } : undefined;
}

/** Returns a job's status response, or only its `status` if a lookup lists the job as pending. */
async function readStatus(
	client: Client,
	job: Job,
	lookup: SharedStatusLookupState,
): Promise<IDataObject> {
	const { isUnsupported, readers, isRequired } = lookup;
	if (!isUnsupported && (readers > 1 || isRequired)) {
		try {
			const pending = await lookUpPending(client, job, lookup);
			if (pending) return pending;
		} catch (error) {
			if (isRequired) throw toNodeError(client.node, error);
		}
	}
	return await fetchJobStatus(client, job, { isPoll: !isRequired });
}

/**
 * Requests a job's status. Throws if the response contains only IDs of other jobs: a proxy may have
 * repeated the response to another request.
 */
export async function fetchJobStatus(
	client: Client,
	{ kind, id }: { kind: Pick<JobKind, 'id' | 'read' | 'query'>; id: string },
	{ query, ...options }: Pick<ServiceRequest, 'query' | 'isPoll'> = {},
): Promise<IDataObject> {
	const reply = await client.fetchData({
		...options,
		line: kind.read,
		path: { [kind.id]: id },
		query: { ...kind.query, ...query },
	});
	const response = unwrapSingleProperty(reply);
	const named = [response[kind.id], response.id].flatMap((one) => readId(one) ?? []);
	if (named.length === 0 || named.includes(id)) return response;
	throw createOperationError(
		client.node,
		`The service returned ${kind.id} ${named[0]} instead of ${id}`,
		'A proxy between n8n and the service may have returned the response to a different request. The job still exists: read it again later by its ID.',
		{ code: wrongJobErrorCode },
	);
}

/** Returns a batch's status response with the entries of all pages (service.md, Resources). */
export async function readAllBatchEntries(
	client: Client,
	batch: Job,
	data: IDataObject,
): Promise<IDataObject> {
	if (data.has_more !== true) return data;
	let items = readObjects(data.items);
	const seen = new Set<string>();
	for (let page = data; page.has_more === true;) {
		const token = readText(page.next_token);
		// A repeated token would make the list endless.
		if (token === undefined || seen.has(token)) break;
		seen.add(token);
		page = await fetchJobStatus(client, batch, { query: { token } });
		items = items.concat(readObjects(page.items));
	}
	return { ...data, items, has_more: false, next_token: null };
}

/** How often to try to read a follow-up job that is not found, and the milliseconds in between. */
const followUpReads = { max: 3, pause: 5_000 };

async function readFollowUpJob(client: Client, job: Job, maxReads: number): Promise<IDataObject> {
	for (let reads = 1; ; reads++) {
		try {
			return await withSharedStatusLookup(
				client,
				job.kind,
				async (lookup) => await readStatus(client, job, lookup),
			);
		} catch (error) {
			if (!isNotFoundError(error) || reads >= maxReads) throw toNodeError(client.node, error);
			await clock.sleep(followUpReads.pause, client.signal);
		}
	}
}

/** Status responses that one poll has read, and the outcome if the job has ended. */
export interface JobReading extends JobEvidence {
	outcome?: SuccessfulOutcome | FailedOutcome;
	/** Whether the job itself has ended or needs the user to act, regardless of its follow-up job. */
	hasEnded: boolean;
	followUp?: Job;
	/** Error on reading the follow-up job. Set only if the outcome depends on that job. */
	error?: unknown;
	isUnchanged?: boolean;
}

/** Reads a job's follow-up job and a batch's other entries, and decides the job's outcome. */
export async function readJobOutcome(
	client: Client,
	job: Job,
	response: IDataObject,
): Promise<JobReading> {
	if (isStatusBeforeContinuation(job, response)) {
		return { response, hasEnded: false, isUnchanged: true };
	}
	const state = decideJobState(job.kind, response);
	const followUp = findFollowUpJob(job, response);
	const reading: JobReading = { response, followUp, hasEnded: state !== 'pending' };
	if (followUp) {
		try {
			const maxReads = state === 'completed' ? followUpReads.max : 1;
			reading.next = await readFollowUpJob(client, followUp, maxReads);
		} catch (error) {
			const isFinal = classifyStatusReadError(error, Infinity) === 'final';
			if (state === 'completed' || (state === 'failed' && !isFinal)) return { ...reading, error };
		}
	}
	const outcome = resolveOutcome(job, reading, client.removeSecrets);
	if (outcome?.outcome !== 'completed') return { ...reading, outcome };
	const data = await readAllBatchEntries(client, job, outcome.data);
	const result = job.kind.next ? outcome.result : { ...job, data };
	return { ...reading, outcome: { ...outcome, data, result } };
}

/** Reads a job's status and outcome. Throws if the status cannot be read. */
export const readJob = async (
	client: Client,
	job: Job,
	lookup: SharedStatusLookupState,
): Promise<JobReading> => await readJobOutcome(client, job, await readStatus(client, job, lookup));

/** Number of polls at the start of a wait for which "not found" means that the job is too new. */
export const pollsBeforeNotFound = 3;

/** Number of consecutive doubtful responses (see `StatusReadErrorType`) that end a wait. */
const maxDoubtfulReads = 3;
/** Minimum milliseconds from the first to the last doubtful response before a wait ends. */
const minDoubtfulTime = 120_000;

/** Code of the error for a status response that belongs to another job. */
export const wrongJobErrorCode = 'other_id';

/** Minimum milliseconds between two warnings in n8n's log about the same wait. */
const warningInterval = 3_600_000;

/**
 * Meaning of a failed status request. `temporary`: the service has a problem, or the job is too
 * new. `doubtful`: the response probably does not come from the service, or is a 401, which the
 * service may send by mistake. `final`: later requests will fail too.
 */
export type StatusReadErrorType = 'temporary' | 'doubtful' | 'final';

/** Classifies a failed status request. `attempt`: number of earlier requests for the job. */
export function classifyStatusReadError(error: unknown, attempt: number): StatusReadErrorType {
	if (isTransientError(error) || (isNotFoundError(error) && attempt < pollsBeforeNotFound)) {
		return 'temporary';
	}
	const { status, code } = getErrorDetails(error);
	// All errors from the service have a code. Those from gateways and captive portals do not.
	const isFromGateway =
		code === 'not_json' ||
		code === wrongJobErrorCode ||
		(typeof status === 'number' && code === undefined);
	return isFromGateway || status === 401 ? 'doubtful' : 'final';
}

/** Whether an error means that the service is unreachable, rather than that the job is too new. */
export const isOutageError = (error: unknown, failure: StatusReadErrorType) =>
	failure === 'doubtful' || (failure === 'temporary' && !isNotFoundError(error));

function describeCause(error: unknown): string {
	const { status, code = 'unknown' } = getErrorDetails(error);
	if (typeof status !== 'number') return code.toUpperCase();
	return code === 'not_json' ? `${status} without JSON` : String(status);
}

export function extendFailedReadStreak(
	before: FailedReadStreak | undefined,
	error: unknown,
	failure: StatusReadErrorType,
	now: number,
): FailedReadStreak {
	const isDoubtful = failure === 'doubtful';
	const isFirst = !before || before.doubtful === 0;
	return {
		since: before?.since ?? now,
		cause: describeCause(error),
		doubtful: isDoubtful ? (before?.doubtful ?? 0) + 1 : 0,
		doubtfulSince: isFirst ? now : before.doubtfulSince,
		warnedAt: before?.warnedAt,
	};
}

export const hasTooManyDoubtfulReads = (
	{ doubtful, doubtfulSince }: FailedReadStreak,
	now: number,
) => doubtful >= maxDoubtfulReads && now - doubtfulSince >= minDoubtfulTime;

/**
 * Returns a sentence such as "The service has been unreachable since 14:05 (503)", without a final
 * period. Includes the date unless the outage began today.
 *
 * @param zone time zone of the workflow
 */
export function describeOutage(
	{ since, cause }: FailedReadStreak,
	zone: string,
	now: number,
): string {
	const inZone = (time: number) => tryToParseDateTime(new Date(time)).setZone(zone);
	const isToday = inZone(since).hasSame(inZone(now), 'day');
	const from = inZone(since).toFormat(isToday ? 'HH:mm' : 'yyyy-MM-dd HH:mm');
	return `The service has been unreachable since ${from} (${cause})`;
}

/**
 * Logs a warning about an outage, at most once per hour, and returns the record of failed requests
 * with the time of the latest warning.
 */
export function warnAboutOutage(
	client: Pick<Client, 'zone' | 'warn'>,
	failedReads: FailedReadStreak,
): FailedReadStreak {
	const now = clock.now();
	const { warnedAt = -Infinity } = failedReads;
	if (now - warnedAt < warningInterval) return failedReads;
	client.warn(
		`${describeOutage(failedReads, client.zone, now)}. The node continues to wait for its jobs.`,
	);
	return { ...failedReads, warnedAt: now };
}
