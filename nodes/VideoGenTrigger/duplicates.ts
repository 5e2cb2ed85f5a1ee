/**
 * Events that come more than once. The service repeats a delivery until it is answered with 2xx.
 *
 * Two memories stand behind each other. That of this process refuses a repeat before it costs a
 * run. n8n's own store lasts over restarts and is shared by all processes of n8n; a repeat that
 * only it knows makes a run, which ends at the trigger.
 */
import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import { deliveries, recording } from '../core/memory';

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

/** One after the other, for one node: n8n reads its record as a whole, and writes it anew. */
async function inTurn<T>(place: string, act: () => Promise<T>): Promise<T> {
	const turn = (recording.get(place) ?? Promise.resolve()).then(act);
	const settled = turn.then(
		() => undefined,
		() => undefined,
	);
	recording.set(place, settled);
	try {
		return await turn;
	} finally {
		if (recording.get(place) === settled) recording.delete(place);
	}
}

/**
 * Whether this run is the first one of the event, by the digest of its body: from now on, n8n knows
 * it. Where n8n cannot tell, it is taken for the first.
 */
export async function isFirst(n8n: IExecuteFunctions, digest: string): Promise<boolean> {
	const record = async () =>
		await n8n.helpers.checkProcessedAndRecord([digest], 'node', {
			mode: 'entries',
			maxEntries: mostRecorded,
		});
	let known = false;
	try {
		const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
		// Two processes may begin the record at the same time: the one that fails reads it then.
		const { processed } = await inTurn(place, async () => await record().catch(record));
		known = processed.length > 0;
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot tell whether an event came before: ${(error as Error).message}`,
		);
	}
	// Somebody who runs an event again wants it again.
	return !known || ['manual', 'retry'].includes(n8n.getMode());
}
