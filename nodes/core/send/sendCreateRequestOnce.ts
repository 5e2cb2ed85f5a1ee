/**
 * Prevents n8n's retries of a node from repeating create requests that the service cannot recognize
 * as repeated, because it accepts no idempotency key for them.
 */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeRetryState } from '../plan/retryState';

/**
 * Sends a create request without an idempotency key, unless an earlier attempt of the node has
 * already sent it. In that case, returns the earlier result, or throws the earlier error if the
 * outcome is unknown. A request that certainly failed is sent again.
 *
 * @param place identifies the request within the node run
 */
export async function sendCreateRequestOnce<T>(
	{ unkeyedCreates }: Pick<NodeRetryState, 'unkeyedCreates'>,
	place: string,
	create: () => Promise<T>,
): Promise<T> {
	// May still be in flight, because a language model can make identical tool calls at the same
	// time.
	const earlier = unkeyedCreates.get(place);
	if (earlier) return (await earlier) as T;
	const creating = create();
	unkeyedCreates.set(place, creating);
	creating.catch((error: unknown) => {
		if (getErrorDetails(error).uncertain !== true) unkeyedCreates.delete(place);
	});
	return await creating;
}
