/**
 * Events that come more than once. The service repeats a delivery until it is answered with 2xx.
 *
 * Two memories stand behind each other. That of this process refuses a repeat before it costs a
 * run. n8n's own store lasts over restarts and is shared by all processes of n8n; a repeat that
 * only it knows makes a run, which ends at the trigger.
 */
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { deliveries, recording, type Recording } from '../core/memory';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Whether one of these keys has started a run, or is just being stored by n8n. */
export const stateOf = (keys: readonly string[]) =>
	keys.map((key) => deliveries.get(key)).find((state) => state !== undefined);

/**
 * Remembers a delivery by these keys. It counts once n8n has answered it with 2xx: if n8n could not
 * store the run, the service sends the event again, and it must be taken then.
 */
export function remember(keys: readonly string[], response: Response): void {
	for (const key of keys) deliveries.set(key, 'underWay');
	// Comes after the answer, or when the connection broke before it.
	response.once('close', () => {
		const { statusCode, writableFinished } = response;
		const isStored = writableFinished && statusCode >= 200 && statusCode < 300;
		for (const key of keys) {
			if (isStored) deliveries.set(key, 'started');
			else deliveries.delete(key);
		}
	});
}

/** Events that n8n remembers of one trigger, at about 27 bytes each. */
const mostRecorded = 2_000;

/**
 * Whether n8n has a digest in its record already; from now on it has. n8n reads the record of a node
 * as a whole and writes it anew: so one call at a time, which takes along all that have come since
 * the one before.
 *
 * @param record gives the digests that were there before
 */
async function isRecorded(
	place: string,
	digest: string,
	record: (digests: string[]) => Promise<ReadonlySet<unknown>>,
): Promise<boolean> {
	const state: Recording = recording.get(place) ?? { last: Promise.resolve() };
	recording.set(place, state);
	if (state.next?.digests.has(digest)) return true;
	if (!state.next) {
		const digests = new Set<string>();
		const known = state.last.then(async () => {
			state.next = undefined;
			return await record([...digests]);
		});
		const settled = () => {
			if (state.next === undefined) recording.delete(place);
		};
		state.next = { digests, known };
		state.last = known.then(settled, settled);
	}
	const { digests, known } = state.next;
	digests.add(digest);
	return (await known).has(digest);
}

/**
 * Whether this run is the first one of the event, by the digest of its body: from now on, n8n knows
 * it. Where n8n cannot tell, it is taken for the first.
 */
export async function isFirst(n8n: IExecuteFunctions, digest: string): Promise<boolean> {
	const record = async (digests: string[]) => {
		const { processed } = await n8n.helpers.checkProcessedAndRecord(digests, 'node', {
			mode: 'entries',
			maxEntries: mostRecorded,
		});
		return new Set(processed);
	};
	let known = false;
	try {
		known = await isRecorded(
			`${n8n.getWorkflow().id} ${n8n.getNode().id}`,
			digest,
			// Two processes may begin the record at the same time: the one that fails reads it then.
			async (digests) => await record(digests).catch(async () => await record(digests)),
		);
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot tell whether an event came before: ${(error as Error).message}`,
		);
	}
	// Somebody who runs an event again wants it again.
	return !known || ['manual', 'retry'].includes(n8n.getMode());
}
