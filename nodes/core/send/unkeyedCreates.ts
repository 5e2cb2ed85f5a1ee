/** Creates without idempotency key: sent once, although n8n may retry the node. */
import { getErrorDetails } from '../errors/errorDetails';
import type { RetryState } from '../plan/retryState';

/**
 * Sends a create, or returns the result that an earlier attempt of the node got for it. A request
 * whose outcome is unknown is not sent again either: its error is thrown again.
 */
export async function sendUnkeyedCreate<T>(
	{ unkeyedCreates }: Pick<RetryState, 'unkeyedCreates'>,
	place: string,
	create: () => Promise<T>,
): Promise<T> {
	// May still be running: an AI model can make identical tool calls at the same time.
	const earlier = unkeyedCreates.get(place);
	if (earlier) return (await earlier) as T;
	const creating = create();
	unkeyedCreates.set(place, creating);
	creating.catch((error: unknown) => {
		if (getErrorDetails(error).uncertain !== true) unkeyedCreates.delete(place);
	});
	return await creating;
}
