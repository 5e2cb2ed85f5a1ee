/** Types of what sending a request returns. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../jobs/types';
import type { RequestFailure } from '../ledger/ledger';
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

export interface SendResult {
	sent: SentRequest[];
	failures: RequestFailure[];
}
