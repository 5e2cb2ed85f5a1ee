/** Errors of jobs that did not end well. */
import type { INode } from 'n8n-workflow';
import { adviceForJobCode } from '../errors/advice';
import { createOperationError } from '../errors/nodeErrors';
import { describeKind, toJobReference, unknownCode } from './state';
import type { JobOutcome } from './waitForJob';

type UnsuccessfulOutcome = Extract<JobOutcome, { outcome: 'failed' | 'timeout' }>;

/**
 * The error of a wait that did not end well. It always names the job.
 *
 * @param otherWay what else can be done about a job that takes long
 */
export const createJobError = (node: INode, ending: UnsuccessfulOutcome, otherWay?: string) =>
	ending.outcome === 'failed'
		? createFailedJobError(node, ending)
		: createTimeoutError(node, ending, otherWay);

function createFailedJobError(
	node: INode,
	ending: Extract<UnsuccessfulOutcome, { outcome: 'failed' }>,
) {
	const { code, data, job: started, reason } = ending;
	const name = describeKind(started.kind);
	const cancelled = /^cancell?ed$/i.test(String(data.status));
	const then =
		adviceForJobCode(code) ??
		(cancelled ? 'Run again if it is still wanted.' : 'Change the input and run again.');
	return createOperationError(
		node,
		`The ${name} ${cancelled ? 'was cancelled' : 'failed'}: ${reason}`,
		`The service made no result for ${name} ${started.id}${code === unknownCode ? '' : ` (code: ${code})`}. ${then}`,
		{ code, job: toJobReference(started), status: String(data.status) },
	);
}

/** What else can be done about a job that takes long, by what tells its end. */
const timeoutAlternatives = {
	event:
		'raise Wait Timeout in the options, or let a VideoGen Trigger start another workflow when it is done',
	callback:
		'raise Wait Timeout in the options, or set a Callback URL there for the next one, which the service calls when it is done',
	nothing: 'or raise Wait Timeout in the options',
} as const;

function createTimeoutError(
	node: INode,
	ending: Extract<UnsuccessfulOutcome, { outcome: 'timeout' }>,
	otherWay?: string,
) {
	const { job: started, known, status, waited } = ending;
	const name = describeKind(started.kind);
	const minutes = Math.round((waited / 60) * 10) / 10;
	const state =
		status === undefined
			? 'tells no status'
			: `has the status "${status}"${known ? '' : ', a word that this node does not know,'}`;
	return createOperationError(
		node,
		`The ${name} was not finished after ${minutes} minutes`,
		`${name} ${started.id} ${state} and goes on at the service: do not create it again. Read it later with its ID, ${otherWay ?? timeoutAlternatives[started.kind.notifiedBy ?? 'event']}.`,
		{ code: 'wait_timeout', job: toJobReference(started), status: status ?? 'unknown' },
	);
}
