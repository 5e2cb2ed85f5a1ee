/** Sends creates that accept no idempotency key only once, although n8n may retry the node. */
import { getErrorDetails } from '../errors/errorDetails';
import type { RetryState } from '../plan/retryState';

/**
 * Sends a create, or returns the result that an earlier attempt of the node received. A request
 * with an unknown outcome is not sent again either: its error is thrown again.
 */
export async function sendUnkeyedCreate<T>(
	{ unkeyedCreates }: Pick<RetryState, 'unkeyedCreates'>,
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
