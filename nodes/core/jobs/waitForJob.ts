/** Waiting for a job of the service: one way for all kinds of job. */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../clock';
import { isNotFound, isTransient } from '../errors/errorDetails';
import type { Client } from '../http/client';
import { isObject, readText } from '../json';
import {
	addExtracts,
	describeFailure,
	isKnownStatus,
	isUnchanged,
	readProgress,
	readState,
	addNextResult,
	removeOldResult,
	type JobKind,
	type Job,
} from './state';
import type { BatchedStatus } from '../memory';
import { readAllEntries } from './batchPages';
import { readBatchedStatus, getBatchedStatus, alignPause } from './batchedStatus';

/** How long to wait, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/** Before the first look, as the user wants it; that of the kind by default. */
	interval?: number;
	/** The longest pause between two looks; that of the kind by default. */
	maxInterval?: number;
	/** The first look comes without a pause. */
	immediately?: boolean;
}

/** How a wait ended. */
export type JobOutcome =
	| { outcome: 'completed' | 'resting'; data: IDataObject }
	| { outcome: 'failed'; job: Job; data: IDataObject; code: string; reason: string }
	| {
			outcome: 'timeout';
			job: Job;
			/** The last status word; nothing where the service gave none. */
			status?: string;
			/** Whether this package knows the word. */
			known: boolean;
			/** Seconds. */
			waited: number;
	  };

/** Looks are never spaced further apart than this, in seconds. */
const maxPollInterval = 30;

/** Before the first look at most kinds of job, in seconds. */
const defaultFirstPoll = 5;

/** Before the second look at what should be there by now, in seconds. */
const secondPollAfter = 3;

/** Looks at a new job that may find nothing yet: reads can lag behind creates. */
const pollsBeforeNotFound = 3;

/**
 * Seconds before the next look: a third of the time that the job has taken so far, so that no look
 * comes late by more than that. What a job tells of its progress brings the look forward to the
 * time when it should be done, but not nearer than a quarter of the pause: the last percents of
 * some jobs take long.
 *
 * @param waited seconds since the wait began
 * @param progress from 0 to 1, as the last look found it
 */
export function nextPollDelay(
	{ waited, progress }: { waited: number; progress?: number },
	job: JobKind,
	{ interval, maxInterval: longest }: WaitPolicy,
): number {
	const first = interval ?? job.firstPollAfter ?? defaultFirstPoll;
	const most = Math.max(longest ?? job.maxPollInterval ?? maxPollInterval, first);
	const pause = Math.min(Math.max(waited / 3, first), most);
	if (interval !== undefined || progress === undefined) return pause;
	const left = (waited * (1 - progress)) / progress;
	return Math.min(pause, Math.max(left, pause / 4, 1));
}

/** Reads a job once; nothing where a later look may find more. */
async function readJob(
	client: Client,
	{ kind: job, id }: Job,
	number: number,
): Promise<IDataObject | undefined> {
	const found = await readBatchedStatus(client, job, id);
	if (found) return found;
	const outcome = await client.tryRequest({
		line: job.read,
		path: { [job.id]: id },
		query: job.query,
	});
	if (outcome.ok) return isObject(outcome.reply.data) ? outcome.reply.data : outcome.reply;
	const { error } = outcome;
	if (isTransient(error) || (isNotFound(error) && number < pollsBeforeNotFound)) return undefined;
	throw error;
}

/** Waits until the job ends, rests, or the time is over. Reads that fail in passing are repeated. */
export async function waitForJob(
	client: Client,
	started: Job,
	policy: WaitPolicy,
): Promise<JobOutcome> {
	const reader = getBatchedStatus(client, started.kind);
	reader.waiting++;
	try {
		return await pollUntilEnd(client, started, policy, reader);
	} finally {
		reader.waiting--;
	}
}

async function pollUntilEnd(
	client: Client,
	started: Job,
	policy: WaitPolicy,
	reader: BatchedStatus,
): Promise<JobOutcome> {
	const { kind: job } = started;
	const begun = clock.now();
	const deadline = begun + policy.timeout * 1000;
	let last: IDataObject = {};
	for (let number = 0; ; number++) {
		const waited = (clock.now() - begun) / 1000;
		const left = deadline - clock.now();
		if (left <= 0) {
			const known = isKnownStatus(job, last);
			const status = readText(last.status);
			const told = status === undefined ? undefined : client.removeSecrets(status);
			return { outcome: 'timeout', job: started, status: told, known, waited };
		}
		const skips = number === 0 && policy.immediately === true;
		const own = skips
			? 0
			: nextPollDelay({ waited, progress: readProgress(last) }, job, policy) * 1000;
		const pause = reader.waiting > 1 && !reader.unsupported ? alignPause(clock.now(), own) : own;
		await clock.sleep(Math.min(pause, left), client.signal);
		const reading = await readJob(client, started, number);
		if (reading === undefined) continue;
		last = reading;
		if (isUnchanged(started, reading)) continue;
		const ending = readOutcome(client, started, reading);
		if (ending === undefined) continue;
		if (ending.outcome !== 'completed') return ending;
		return await waitForNextJob(client, job, await readAllEntries(client, started, ending.data), {
			...policy,
			timeout: Math.max((deadline - clock.now()) / 1000, 1),
			interval: policy.interval ?? secondPollAfter,
			immediately: true,
		});
	}
}

/** How a job has ended by one reading, what it leads to aside; nothing while it has not. */
function readOutcome(
	client: Client,
	started: Job,
	reading: IDataObject,
): Exclude<JobOutcome, { outcome: 'timeout' }> | undefined {
	const state = readState(started.kind, reading);
	if (state === 'pending') return undefined;
	const data = removeOldResult(started, reading);
	if (state !== 'failed') return { outcome: state, data: addExtracts(started.kind, data) };
	const { code, reason } = describeFailure(data);
	const told = { code: client.removeSecrets(code), reason: client.removeSecrets(reason) };
	return { outcome: 'failed', job: started, data, ...told };
}

/** A job that has not ended: still at work, or its reading failed in passing. */
export interface UnfinishedJob {
	outcome: 'pending' | 'unread';
}

/**
 * One look at a job, and at what it leads to, without any pause.
 *
 * @param number of the look, from 0: a new job may not be found at the first ones
 */
export async function checkJob(
	client: Client,
	started: Job,
	number: number,
): Promise<JobOutcome | UnfinishedJob> {
	const { kind: job } = started;
	const reader = getBatchedStatus(client, job);
	reader.waiting++;
	try {
		const reading = await readJob(client, started, number);
		if (reading === undefined) return { outcome: 'unread' };
		const ending = readOutcome(client, started, reading);
		if (ending === undefined) return { outcome: 'pending' };
		if (ending.outcome !== 'completed') return ending;
		const data = await readAllEntries(client, started, ending.data);
		const id = job.next && readText(data[job.next.job.id]);
		if (!job.next || id === undefined) return { outcome: 'completed', data };
		const next = await checkJob(client, { kind: job.next.job, id }, number);
		if (next.outcome !== 'completed' && next.outcome !== 'resting') return next;
		return { ...next, data: addNextResult(job, data, next.data) };
	} finally {
		reader.waiting--;
	}
}

/** Waits for what a completed job has led to, if anything: it is done, or nearly. */
async function waitForNextJob(
	client: Client,
	job: JobKind,
	data: IDataObject,
	policy: WaitPolicy,
): Promise<JobOutcome> {
	const { next: then } = job;
	const id = then && readText(data[then.job.id]);
	if (!then || id === undefined) return { outcome: 'completed', data };
	const ending = await waitForJob(client, { kind: then.job, id }, policy);
	if (ending.outcome === 'failed' || ending.outcome === 'timeout') return ending;
	return { ...ending, data: addNextResult(job, data, ending.data) };
}
