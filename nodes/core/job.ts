/**
 * Waiting for a job of the service: one way for all kinds of job.
 *
 * Any state that is not known to be final counts as pending, because the service may add states.
 */
import type { IDataObject } from 'n8n-workflow';
import { clock } from './clock';
import { isGone, isPassing } from './errors';
import type { Client } from './request';

/** A kind of job: where it is read and which states end it. */
export interface Job {
	/** Name of the kind, put on items as `job.kind`. */
	kind: string;
	/** Key of the id in the reply that starts it (or `id`), and the placeholder in `read`. */
	id: string;
	/** Request line of the read endpoint. */
	read: string;
	/** Sent with it. */
	query?: IDataObject;
	completed: readonly string[];
	failed: readonly string[];
	/** States in which the job rests until the user acts: the wait ends there, without a failure. */
	resting?: readonly string[];
	/** A job that this one leads to, found in its final state; its result goes under `name`. */
	then?: { name: string; job: Job };
	/** No event of the service is known to tell its end (specification, Event types). */
	untold?: true;
}

/** One job that exists at the service. */
export interface StartedJob {
	job: Job;
	id: string;
}

/** How long to wait, in seconds. */
export interface WaitPolicy {
	timeout: number;
	interval: number;
	/** The longest pause between two looks; 30 by default. */
	longest?: number;
}

/** How a wait ended. */
export type Ending =
	| { outcome: 'completed' | 'resting'; data: IDataObject }
	| { outcome: 'failed'; job: StartedJob; data: IDataObject; code: string; reason: string }
	| { outcome: 'timeout'; job: StartedJob; status: string; waited: number };

/** What a state means for a job of this kind. Any state that is not known is pending. */
export function stateOf(job: Job, status: unknown): 'completed' | 'failed' | 'resting' | 'pending' {
	const state = String(status).toLowerCase();
	const is = (states: readonly string[] = []) => states.some((s) => s.toLowerCase() === state);
	if (is(job.failed)) return 'failed';
	if (is(job.resting)) return 'resting';
	return is(job.completed) ? 'completed' : 'pending';
}

/** Looks are never spaced further apart than this, in seconds. */
const longestInterval = 30;

/** Looks at a new job that may find nothing yet: reads can lag behind creates. */
const looksBeforeMissing = 3;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The reason of a failure: its key differs by kind of job (api.md, Callbacks and event payloads). */
export function failureOf(data: IDataObject): { code: string; reason: string } {
	const error = data.error;
	const inner = (error !== null && typeof error === 'object' ? error : {}) as IDataObject;
	return {
		code: text(inner.code) ?? text(data.failure_code) ?? 'unknown',
		reason:
			text(inner.message) ??
			text(data.failure_message) ??
			text(data.failure_reason) ??
			text(data.error_message) ??
			text(error) ??
			'The service gave no reason',
	};
}

/** Waits until the job ends, rests, or the time is over. Reads that fail in passing are repeated. */
export async function waitFor(
	client: Client,
	started: StartedJob,
	policy: WaitPolicy,
): Promise<Ending> {
	const { job, id } = started;
	const begun = clock.now();
	const deadline = begun + policy.timeout * 1000;
	let interval = policy.interval;
	let status = 'unknown';
	for (let looks = 0; ; looks++) {
		const left = deadline - clock.now();
		if (left <= 0) {
			return { outcome: 'timeout', job: started, status, waited: (clock.now() - begun) / 1000 };
		}
		await clock.sleep(Math.min(interval * 1000, left), client.signal);
		interval = Math.min(
			Math.max(policy.longest ?? longestInterval, policy.interval),
			interval * 1.5,
		);

		const outcome = await client.attempt({
			line: job.read,
			path: { [job.id]: id },
			query: job.query,
		});
		if (!outcome.ok) {
			const { error } = outcome;
			if (isPassing(error) || (isGone(error) && looks < looksBeforeMissing)) continue;
			throw error;
		}
		const data = (outcome.reply.data ?? outcome.reply) as IDataObject;
		status = String(data.status ?? 'unknown');
		const state = stateOf(job, status);
		if (state === 'failed') return { outcome: 'failed', job: started, data, ...failureOf(data) };
		if (state === 'resting') return { outcome: 'resting', data };
		if (state === 'pending') continue;

		const next = job.then && text(data[job.then.job.id]);
		if (!job.then || next === undefined) return { outcome: 'completed', data };
		const after = await waitFor(
			client,
			{ job: job.then.job, id: next },
			{ timeout: Math.max((deadline - clock.now()) / 1000, 1), interval: policy.interval },
		);
		if ('data' in after && after.outcome !== 'failed') {
			return { ...after, data: { ...data, [job.then.name]: after.data } };
		}
		return after;
	}
}
