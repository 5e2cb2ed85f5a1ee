/** Defines the result of sending the requests of a node run. Contains only types. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../jobs/types';
import type { PlannedRequest } from '../plan/groupRequests';
import type { RequestFailure } from './rejectedRows';

/**
 * Request that has been sent, with the jobs that it started and the output items built from its
 * responses.
 */
export interface SentRequest extends PlannedRequest {
	replies: INodeExecutionData[];
	jobs: Job[];
	/** Whether the response came from the ledger, so that nothing was sent. */
	isKnown?: boolean;
}

/** Requests that were sent for input items, and the items that failed. */
export interface SendResult {
	sent: SentRequest[];
	failures: RequestFailure[];
}
