/** Defines the type of a request that has been sent, with its results. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../jobs/types';
import type { PlannedRequest } from '../plan/groupRequests';

/**
 * Request that has been sent, with the jobs that it started and the output items built from its
 * responses.
 */
export interface SentRequest extends PlannedRequest {
	replies: INodeExecutionData[];
	jobs: Job[];
}
