/** Decides the outcome of a request. */
import type { NodeError } from '../errors/nodeErrors';
import { createDuplicateJobIdError } from '../jobs/jobErrors';
import { isRepeatSafe } from '../operationTraits';
import { storeError, type RequestFailure } from '../ledger/ledger';
import { openRecord } from '../plan/deriveIdempotencyKeys';
import { getItemIndexes, getPayOnceScope, type PlannedRequest } from '../plan/groupRequests';
import type { SentRequest } from '../send/sendResult';
import type { RunContext } from '../send/sendPlannedRequest';
import { listCreatedRows } from './batchRows';
import { isItemFailure, type ItemResult } from './itemResult';

export interface FinishedRequest extends PlannedRequest {
	results: ItemResult[];
	/** Whether the failed part of this request is sent again if n8n retries the node. */
	isRepeatedLater: boolean;
}

export const findError = ({ results }: Pick<FinishedRequest, 'results'>): NodeError | undefined =>
	results.find(isItemFailure)?.error;

/** Whether Retry On Fail sends all parts of a request again that have failed. */
export function areRepeatedLater(
	failures: readonly RequestFailure[],
	parts: ReadonlyArray<Pick<FinishedRequest, 'results' | 'isRepeatedLater'>>,
): boolean {
	const failed = parts.filter(findError);
	return failures.length === 0 && failed.length > 0 && failed.every((part) => part.isRepeatedLater);
}

/** Fails all items of a request. */
export function createFailedRequest(
	{ startedJobs }: Pick<RunContext, 'startedJobs'>,
	request: PlannedRequest & Pick<SentRequest, 'creation'>,
	error: NodeError,
): FinishedRequest {
	const [item, ...otherItems] = getItemIndexes(request);
	const jobs = startedJobs.of(item);
	const rows = listCreatedRows(request, jobs);
	// With a key that outlives the execution, the service may have repeated an earlier response.
	const isOwn = getPayOnceScope(request.values) === 'execution';
	const creation = isOwn ? request.creation : undefined;
	const failure = { item, otherItems, error, jobs, rows, creation };
	return { ...request, results: [failure], isRepeatedLater: false };
}

/**
 * Fails a request if the service returned its job for another item, too. Called after all requests
 * have finished, because the other response may arrive later.
 */
export function failIfJobIsShared(
	context: Pick<RunContext, 'client' | 'nodeRun' | 'startedJobs'>,
	done: FinishedRequest,
): FinishedRequest {
	const { nodeRun, startedJobs, client } = context;
	const shared = startedJobs.takeShared(getItemIndexes(done));
	if (!shared) return done;
	// The next attempt asks the service again, with the item's own key, or keeps the error.
	const record = openRecord(nodeRun, done);
	const error = createDuplicateJobIdError(client.node, shared);
	if (isRepeatSafe(done.operation)) delete record.outcome;
	else record.outcome = { error: storeError(error) };
	const { isRepeatedLater } = done;
	return { ...createFailedRequest(context, done, error), isRepeatedLater };
}
