/**
 * Creates for which the service takes no idempotency key, carried out once for each run of a node.
 *
 * What the service has made in a try is not asked for again in the next: it is given out once more.
 * The same holds for a request of which nobody knows whether it was carried out.
 */
import { getErrorDetails } from '../errors/errorDetails';
import type { RetryState } from '../memory';

/** Carries out a create, or gives out what became of it before. */
export async function sendUnkeyedCreate<T>(
	{ made }: Pick<RetryState, 'made'>,
	place: string,
	create: () => Promise<T>,
): Promise<T> {
	const before = made.get(place);
	// Also one that is being carried out: identical calls of a tool come at the same time.
	if (before) return (await before) as T;
	const making = create();
	made.set(place, making);
	making.catch((error: unknown) => {
		if (getErrorDetails(error).uncertain !== true) made.delete(place);
	});
	return await making;
}
