/** Creates the errors for jobs that failed or did not end in time, with the job's kind and ID. */
import type { IDataObject, INode } from 'n8n-workflow';
import { getFailedJobAdvice } from '../errors/advice';
import { createOperationError, type NodeError } from '../errors/nodeErrors';
import { createIdempotencyKeyHint } from '../http/sendWithRetries';
import { toText } from '../json';
import { isTransientFailure, readFailureWithDefaults, unknownFailureCode } from './jobState';
import {
	describeJob,
	describeJobKind,
	toJobReference,
	type FailedOutcome,
	type Job,
	type TimedOutOutcome,
} from './types';

export interface TimeoutErrorWording {
	/** Phrase that says what did not happen before the timeout, such as "was not finished". */
	missed?: string;
	/** Advice that completes the sentence "Get it later by its ID, …". */
	alternative?: string;
}

export const createJobError = (
	node: INode,
	outcome: FailedOutcome | TimedOutOutcome,
	texts: TimeoutErrorWording = {},
): NodeError =>
	outcome.outcome === 'failed'
		? createFailedJobError(node, outcome)
		: createTimeoutError(node, outcome, texts);

/** Returns general advice for a failed job whose error code has no advice of its own. */
const adviseOnFailure = (failure: { code: string; reason: string }, data: IDataObject) =>
	failure.code !== unknownFailureCode && isTransientFailure(failure, data)
		? 'The input did not cause the failure: run the workflow again.'
		: 'Change the input and run again.';

function createFailedJobError(node: INode, { code, data, job, reason, running }: FailedOutcome) {
	const name = describeJobKind(job.kind);
	const isCancelled = /^cancell?ed$/i.test(toText(data.status));
	const advice =
		(running &&
			`Its ${describeJob(running)} is still running: use Get to check that job before you run again.`) ??
		getFailedJobAdvice(code) ??
		(isCancelled
			? 'Run the workflow again if you still want the result.'
			: adviseOnFailure({ code, reason }, data));
	return createOperationError(
		node,
		`The ${name} ${isCancelled ? 'was canceled' : 'failed'}: ${reason}`,
		`The service created no result for ${name} ${job.id}${code === unknownFailureCode ? '' : ` (code: ${code})`}. ${advice}`,
		{ code, job: toJobReference(job), status: toText(data.status), outcome: 'failed' },
	);
}

/** Advice for users whose job did not end in time, keyed by how the service reports a job's end. */
const timeoutAlternatives = {
	event:
		'raise Wait Timeout in the options, or let a VideoGen Trigger start another workflow when it is done',
	callback:
		'raise Wait Timeout in the options, or set a Callback URL there, so that the service calls it when the next job is done',
	nothing: 'or raise Wait Timeout in the options',
} as const;

function createTimeoutError(
	node: INode,
	{ job, known, status, unreachable, waited, isUnchanged }: TimedOutOutcome,
	{ missed = 'was not finished', alternative }: TimeoutErrorWording,
) {
	const name = describeJobKind(job.kind);
	const minutes = waited / 60;
	const duration = minutes < 1 ? minutes.toPrecision(1) : Math.round(minutes * 10) / 10;
	const stop = job.kind.stop ? ` To end it, use ${job.kind.stop.operation}.` : '';
	const outage = unreachable === undefined ? '' : `${unreachable}. `;
	const state =
		status === undefined
			? 'has no status'
			: `has the status "${status}"${known ? '' : ', which this node does not recognize,'}`;
	const later = `Get it later by its ID, ${alternative ?? timeoutAlternatives[job.kind.notifiedBy ?? 'event']}.${alternative === undefined ? stop : ''}`;
	return createOperationError(
		node,
		`The ${name} ${job.id} ${isUnchanged ? 'did not react' : missed} after ${duration} ${duration === 1 ? 'minute' : 'minutes'}`,
		isUnchanged
			? `${outage}The ${name} ${job.id} still ${state}, the same as before your request: the service has not acted on the request yet, or has lost it. Check the ${name} with Get before you send the same request again.`
			: `${outage}The ${name} ${job.id} ${state} and keeps running in the service: do not create it again. ${later}`,
		{
			code: 'wait_timeout',
			job: toJobReference(job),
			status: status ?? 'unknown',
			outcome: 'running',
		},
	);
}

/** Creates the error for an item whose jobs the service also returned for other items. */
export function createDuplicateJobIdError(
	node: INode,
	{ jobs, key }: { jobs: readonly Job[]; key?: string },
): NodeError {
	const [name = 'job'] = jobs.map(({ kind }) => describeJobKind(kind));
	const advice = `Each item was sent in its own request, but several responses returned ${jobs.map(describeJob).join(', ')}. Each request may have created its own job and charged you for it. Look for these jobs among the newest ones in the service before you run these items again. A proxy between n8n and the service may have repeated a response.`;
	return createOperationError(
		node,
		`The service returned the same ${name} ID for several items: it is unknown which item the ID belongs to`,
		key === undefined ? advice : `${advice} ${createIdempotencyKeyHint(key)}`,
		{
			code: 'shared_job',
			uncertain: true,
			outcome: 'unknown',
			// Not under `job`, because a later node would then wait for these jobs.
			shared_jobs: jobs.map(toJobReference),
			idempotency_key: key,
		},
	);
}

/**
 * Creates the error for a batch row that failed.
 *
 * @param rowJob the row's job, without an ID if the service did not start it
 */
export function createBatchRowError(
	node: INode,
	batch: Job,
	{ kind, id }: { kind: Job['kind']; id?: string },
	entry: IDataObject,
): NodeError {
	const name = describeJobKind(kind);
	const failure = readFailureWithDefaults(entry);
	const { code, reason } = failure;
	const advice = getFailedJobAdvice(code) ?? adviseOnFailure(failure, entry);
	return createOperationError(
		node,
		`The ${name} for this row failed: ${reason}`,
		`${id === undefined ? '' : `${name} ${id} of `}batch ${batch.id}: entry ${toText(entry.item_index)} is "${toText(entry.status)}". ${advice}`,
		{
			code,
			job: toJobReference(id === undefined ? batch : { kind, id }),
			batch_id: batch.id,
			status: toText(entry.status),
			outcome: 'failed',
		},
	);
}

/** Creates the error for a batch row whose job is still running although the batch has ended. */
export function createUnfinishedRowError(
	node: INode,
	batch: Job,
	job: Job,
	{ status }: IDataObject,
): NodeError {
	const name = describeJobKind(job.kind);
	return createOperationError(
		node,
		`The ${name} for this row is not finished, although its batch has ended`,
		`The ${name} ${job.id} of batch ${batch.id} has the status "${toText(status)}" and may keep running: do not create it again. Get it later by its ID.`,
		{
			code: 'wait_timeout',
			job: toJobReference(job),
			batch_id: batch.id,
			status: toText(status),
			outcome: 'running',
		},
	);
}

/** Creates the error for a row whose outcome is unknown: its job may exist, and may be charged. */
export const createUnmatchedRowError = (node: INode, batch: Job, kind: Job['kind']): NodeError =>
	createOperationError(
		node,
		'The service returned nothing for this row',
		`Batch ${batch.id} has no entry that definitely belongs to this row, so the outcome is unknown: the row's ${describeJobKind(kind)} may exist, and may have been charged. Check the batch with Get Batch before you run this row again.`,
		{
			code: 'unknown_row',
			job: toJobReference(batch),
			batch_id: batch.id,
			outcome: 'unknown',
		},
	);
