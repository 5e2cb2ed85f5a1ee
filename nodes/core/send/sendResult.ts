/** Types of what sending a request returns. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { NodeError } from '../errors/nodeErrors';
import type { Job } from '../jobs/types';
import type { PlannedRequest } from '../plan/groupRequests';

/**
 * Whether this attempt, an earlier attempt at the run, or an earlier execution has created it: the
 * service repeats its response to the same key.
 */
export type Creation = 'created' | 'continued' | 'replayed';

/** Request that has been sent, with its jobs, and output items built from its responses. */
export interface SentRequest extends PlannedRequest {
	replies: INodeExecutionData[];
	jobs: Job[];
	/** `continued` if the response came from the ledger, so that nothing was sent. */
	creation?: Creation;
}

/** Error that affects some or all of a request's input items. */
export interface RequestFailure {
	item: number;
	/** Input items that failed for the same reason. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Shown above the error's own description. */
	hints?: readonly string[];
}

export interface SendResult {
	sent: SentRequest[];
	failures: RequestFailure[];
}
