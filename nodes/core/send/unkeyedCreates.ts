/**
 * Prevents n8n's node retries from sending a create request again if the service might not
 * recognize it as a repeat.
 */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeRetryState } from '../plan/retryState';

/**
 * Sends a create request if no earlier attempt to run the node has sent it. Otherwise returns the
 * result of the earlier request, or throws its error if the outcome is unknown. A request that
 * definitely failed is sent again.
 *
 * @param requestId ID of the request, which stays the same when n8n retries the node
 */
export async function sendUnkeyedCreateOnce<T>(
	{ unkeyedCreates }: Pick<NodeRetryState, 'unkeyedCreates'>,
	requestId: string,
	create: () => Promise<T>,
): Promise<T> {
	// The earlier request may still be in flight, because a language model can make identical tool
	// calls at the same time.
	const earlier = unkeyedCreates.get(requestId);
	if (earlier) return (await earlier) as T;
	const creating = create();
	unkeyedCreates.set(requestId, creating);
	creating.catch((error: unknown) => {
		if (getErrorDetails(error).uncertain !== true) unkeyedCreates.delete(requestId);
	});
	return await creating;
}
