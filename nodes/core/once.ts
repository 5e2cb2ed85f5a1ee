/**
 * Creates for which the service takes no idempotency key, done once for each execution.
 *
 * With Retry On Fail, n8n runs the whole node again in the same process, all items included. What
 * the service has made by then is not asked for again: its reply is given out once more. The same
 * holds for a request of which nobody knows whether it was carried out.
 */
import { factsOf } from './errors';
import type { Outcome } from './request';

/** By derived key: execution, node, run, item, request and body. */
const known = new Map<string, Outcome>();
/** More than this many are not remembered; the oldest go first. */
const mostRemembered = 5000;

/** Carries out a create, or gives out what became of it before. */
export async function once(key: string, create: () => Promise<Outcome>): Promise<Outcome> {
	const before = known.get(key);
	if (before) return before;
	const outcome = await create();
	if (outcome.ok || factsOf(outcome.error).uncertain === true) {
		known.set(key, outcome);
		const [oldest] = known.keys();
		if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
	}
	return outcome;
}
