/** Defines the result of sending the requests of a node run. Contains only types. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { NodeError } from '../errors/nodeErrors';
import type { Job } from '../jobs/types';
import type { PlannedRequest } from '../plan/groupRequests';

/**
 * Origin of what a request returned: created by this attempt, by an earlier attempt at the run, or
 * by an earlier execution, whose response the service has repeated.
 */
export type Creation = 'created' | 'continued' | 'replayed';

/**
 * Request that has been sent, with the jobs that it started and the output items built from its
 * responses.
 */
export interface SentRequest extends PlannedRequest {
	replies: INodeExecutionData[];
	jobs: Job[];
	/** `continued` if the response came from the ledger, so that nothing was sent. */
	creation?: Creation;
}

/** Error that affects some or all of a request's input items. */
export interface RequestFailure {
	item: number;
	/** Indexes of the other input items that failed for the same reason. */
	otherItems?: readonly number[];
	error: NodeError;
	/** Sentences about the request, shown above the error's own description. */
	hints?: readonly string[];
}

/** Requests that were sent for input items, and the items that failed. */
export interface SendResult {
	sent: SentRequest[];
	failures: RequestFailure[];
}
