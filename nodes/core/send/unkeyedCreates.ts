/** Keeps n8n's retries of a node from repeating creates that accept no idempotency key. */
import { getErrorDetails } from '../errors/errorDetails';
import type { NodeRetryState } from '../plan/retryState';

/**
 * Sends a create, unless an earlier attempt of the node has already sent it: then its result is
 * returned, or its error thrown again if the outcome is unknown. A create that certainly failed is
 * sent again.
 */
export async function sendUnkeyedCreate<T>(
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
