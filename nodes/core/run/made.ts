/**
 * Creates for which the service takes no idempotency key, carried out once for each execution.
 *
 * With Retry On Fail, n8n runs the whole node again in the same process, all items included. What
 * the service has made by then is not asked for again: it is given out once more. The same holds
 * for a request of which nobody knows whether it was carried out.
 */
import { factsOf } from '../errors/facts';
import { madeCreates } from '../memory';

/** Carries out a create, or gives out what became of it before. */
export async function makeOnce<T>(place: string, create: () => Promise<T>): Promise<T> {
	const before = madeCreates.get(place);
	if (before && 'error' in before) throw before.error;
	if (before) return before.made as T;
	const making = create();
	making.then(
		(made) => madeCreates.set(place, { made }),
		(error: unknown) => {
			if (factsOf(error).uncertain === true) madeCreates.set(place, { error });
		},
	);
	return await making;
}
