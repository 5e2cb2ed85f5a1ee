/** Waiting for a job of the service: one way for all kinds of job. */
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../clock';
import { isGone, isPassing } from '../errors/facts';
import type { Client } from '../http/client';
import { isObject, textOf } from '../json';
import {
	digested,
	failureOf,
	isKnownStatus,
	isUnmoved,
	progressOf,
	stateOf,
	withNext,
	withoutOldResult,
	type Job,
	type StartedJob,
} from './job';
import type { StatusReader } from '../memory';
import { withAllEntries } from './entries';
import { lookUpStatus, readerOf, sharedPause } from './reader';

/** How long to wait, in seconds. */
export interface WaitPolicy {
	timeout: number;
	/** Before the first look, as the user wants it; that of the kind by default. */
	interval?: number;
	/** The longest pause between two looks; that of the kind by default. */
	longest?: number;
	/** The first look comes without a pause. */
	atOnce?: boolean;
}

/** How a wait ended. */
export type Ending =
	| { outcome: 'completed' | 'resting'; data: IDataObject }
	| { outcome: 'failed'; job: StartedJob; data: IDataObject; code: string; reason: string }
	| {
			outcome: 'timeout';
			job: StartedJob;
			/** The last status word; nothing where the service gave none. */
			status?: string;
			/** Whether this package knows the word. */
			known: boolean;
			/** Seconds. */
			waited: number;
	  };

/** Looks are never spaced further apart than this, in seconds. */
const longestPause = 30;

/** Before the first look at most kinds of job, in seconds. */
const firstPause = 5;

/** Before the second look at what should be there by now, in seconds. */
const shortPause = 3;

/** Looks at a new job that may find nothing yet: reads can lag behind creates. */
const looksBeforeMissing = 3;

/**
 * Seconds before the next look: a third of the time that the job has taken so far, so that no look
 * comes late by more than that. What a job tells of its progress brings the look forward to the
 * time when it should be done, but not nearer than a quarter of the pause: the last percents of
 * some jobs take long.
 *
 * @param waited seconds since the wait began
 * @param progress from 0 to 1, as the last look found it
 */
export function pauseBefore(
	{ waited, progress }: { waited: number; progress?: number },
	job: Job,
	{ interval, longest }: WaitPolicy,
): number {
	const first = interval ?? job.firstPause ?? firstPause;
	const most = Math.max(longest ?? job.longestPause ?? longestPause, first);
	const pause = Math.min(Math.max(waited / 3, first), most);
	if (interval !== undefined || progress === undefined) return pause;
	const left = (waited * (1 - progress)) / progress;
	return Math.min(pause, Math.max(left, pause / 4, 1));
}

/** Reads a job once; nothing where a later look may find more. */
async function look(
	client: Client,
	{ job, id }: StartedJob,
	number: number,
): Promise<IDataObject | undefined> {
	const found = await lookUpStatus(client, job, id);
	if (found) return found;
	const outcome = await client.attempt({
		line: job.read,
		path: { [job.id]: id },
		query: job.query,
	});
	if (outcome.ok) return isObject(outcome.reply.data) ? outcome.reply.data : outcome.reply;
	const { error } = outcome;
	if (isPassing(error) || (isGone(error) && number < looksBeforeMissing)) return undefined;
	throw error;
}

/** Waits until the job ends, rests, or the time is over. Reads that fail in passing are repeated. */
export async function waitFor(
	client: Client,
	started: StartedJob,
	policy: WaitPolicy,
): Promise<Ending> {
	const reader = readerOf(client, started.job);
	reader.waiting++;
	try {
		return await lookUntilEnd(client, started, policy, reader);
	} finally {
		reader.waiting--;
	}
}

async function lookUntilEnd(
	client: Client,
	started: StartedJob,
	policy: WaitPolicy,
	reader: StatusReader,
): Promise<Ending> {
	const { job } = started;
	const begun = clock.now();
	const deadline = begun + policy.timeout * 1000;
	let last: IDataObject = {};
	for (let number = 0; ; number++) {
		const waited = (clock.now() - begun) / 1000;
		const left = deadline - clock.now();
		if (left <= 0) {
			const known = isKnownStatus(job, last);
			const status = textOf(last.status);
			const told = status === undefined ? undefined : client.clean(status);
			return { outcome: 'timeout', job: started, status: told, known, waited };
		}
		const skips = number === 0 && policy.atOnce === true;
		const own = skips ? 0 : pauseBefore({ waited, progress: progressOf(last) }, job, policy) * 1000;
		const pause = reader.waiting > 1 && !reader.unsupported ? sharedPause(clock.now(), own) : own;
		await clock.sleep(Math.min(pause, left), client.signal);
		const reading = await look(client, started, number);
		if (reading === undefined) continue;
		last = reading;
		if (isUnmoved(started, reading)) continue;
		const ending = endingOf(client, started, reading);
		if (ending === undefined) continue;
		if (ending.outcome !== 'completed') return ending;
		return await waitForNext(client, job, await withAllEntries(client, started, ending.data), {
			...policy,
			timeout: Math.max((deadline - clock.now()) / 1000, 1),
			interval: policy.interval ?? shortPause,
			atOnce: true,
		});
	}
}

/** How a job has ended by one reading, what it leads to aside; nothing while it has not. */
function endingOf(
	client: Client,
	started: StartedJob,
	reading: IDataObject,
): Exclude<Ending, { outcome: 'timeout' }> | undefined {
	const state = stateOf(started.job, reading);
	if (state === 'pending') return undefined;
	const data = withoutOldResult(started, reading);
	if (state !== 'failed') return { outcome: state, data: digested(started.job, data) };
	const { code, reason } = failureOf(data);
	const told = { code: client.clean(code), reason: client.clean(reason) };
	return { outcome: 'failed', job: started, data, ...told };
}

/** A job that has not ended: still at work, or its reading failed in passing. */
export interface Unended {
	outcome: 'pending' | 'unread';
}

/**
 * One look at a job, and at what it leads to, without any pause.
 *
 * @param number of the look, from 0: a new job may not be found at the first ones
 */
export async function lookOnce(
	client: Client,
	started: StartedJob,
	number: number,
): Promise<Ending | Unended> {
	const { job } = started;
	const reader = readerOf(client, job);
	reader.waiting++;
	try {
		const reading = await look(client, started, number);
		if (reading === undefined) return { outcome: 'unread' };
		const ending = endingOf(client, started, reading);
		if (ending === undefined) return { outcome: 'pending' };
		if (ending.outcome !== 'completed') return ending;
		const data = await withAllEntries(client, started, ending.data);
		const id = job.then && textOf(data[job.then.job.id]);
		if (!job.then || id === undefined) return { outcome: 'completed', data };
		const next = await lookOnce(client, { job: job.then.job, id }, number);
		if (next.outcome !== 'completed' && next.outcome !== 'resting') return next;
		return { ...next, data: withNext(job, data, next.data) };
	} finally {
		reader.waiting--;
	}
}

/** Waits for what a completed job has led to, if anything: it is done, or nearly. */
async function waitForNext(
	client: Client,
	job: Job,
	data: IDataObject,
	policy: WaitPolicy,
): Promise<Ending> {
	const { then } = job;
	const id = then && textOf(data[then.job.id]);
	if (!then || id === undefined) return { outcome: 'completed', data };
	const ending = await waitFor(client, { job: then.job, id }, policy);
	if (ending.outcome === 'failed' || ending.outcome === 'timeout') return ending;
	return { ...ending, data: withNext(job, data, ending.data) };
}
