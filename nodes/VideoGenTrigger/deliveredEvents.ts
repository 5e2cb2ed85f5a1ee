/**
 * Outputs the events of webhook deliveries. Ensures that each event is output only once, although
 * the service repeats a delivery until it receives a 2xx response.
 *
 * There are two checks. The first uses the memory of this process and rejects repeated deliveries
 * before an execution starts. The second uses n8n's deduplication store, which survives restarts
 * and is shared by all n8n processes. The second check runs in the execution, so a repeated
 * delivery that only the store recognizes starts an execution that outputs no items.
 */
import { randomUUID } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { createEventItem, decideOutputOnce, type ServiceEvent } from '../shared/eventItems';
import { getTriggerId } from '../shared/triggerState';
import { mayHaveDroppedKeys, storeAndFindDuplicateKeys } from './deduplicationStore';

/**
 * Event of a webhook delivery. The delivery starts an execution, which receives the event as an
 * input item's JSON.
 */
export interface DeliveredEvent extends ServiceEvent, IDataObject {
	/**
	 * Hash of the event's ID or, if the event has no ID, of the signed body. The hash is equal for
	 * all deliveries of the same event.
	 */
	digest: string;
	/**
	 * Hashes of the event's other IDs, if the trigger found the event in the service's list. The
	 * list contains an event once for each endpoint, each time with a different ID.
	 */
	otherDigests?: string[];
	/**
	 * Random ID of this delivery. Missed events that are found together have the same ID. The ID
	 * stays the same if n8n runs the execution again.
	 */
	delivery: string;
}

/**
 * Creates the event that an execution receives as input. `digest` is the hash of the event's ID.
 */
export const createDeliveredEvent = (
	event: IDataObject,
	digest: string,
	delivery: string = randomUUID(),
): DeliveredEvent => ({ event, eventId: digest, digest, delivery });

/** Returns the hashes of all IDs under which the service lists an event. */
export const listDigests = ({ digest, otherDigests = [] }: DeliveredEvent) => [
	digest,
	...otherDigests,
];

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Status of recent webhook deliveries: `inProgress` while n8n stores a delivery, then `started`.
 * Keyed by the result of `createDeliveryKey`. Statuses are kept for 25 hours, because the service
 * repeats deliveries for 24 hours and the trigger rejects events older than 25 hours.
 */
const deliveryStates = createBoundedMap<'inProgress' | 'started'>(20_000, 25 * 3600);

/**
 * Creates the key that identifies an event in one trigger. Events received during a test have
 * different keys from those received by the published workflow.
 */
export const createDeliveryKey = (n8n: ITriggerFunctions | IWebhookFunctions, digest: string) =>
	`${getTriggerId(n8n)} ${n8n.getMode() === 'manual'} ${digest}`;

/**
 * Returns `inProgress` while n8n stores a webhook delivery, `started` if n8n has stored it, or
 * undefined if it is new.
 */
export const findDeliveryState = (key: string) => deliveryStates.get(key);

/**
 * Sets the status of a delivery to `inProgress` and, once n8n has responded with 2xx, to `started`.
 * If n8n fails to store the delivery, removes the status, so that the service can deliver the event
 * again.
 */
export function trackDeliveryUntilStored(key: string, response: WebhookResponse): void {
	deliveryStates.set(key, 'inProgress');
	// `close` is also emitted if the connection breaks before the response is sent.
	response.once('close', () => {
		const { statusCode, writableFinished } = response;
		const isStored = writableFinished && statusCode >= 200 && statusCode < 300;
		if (isStored) deliveryStates.set(key, 'started');
		else deliveryStates.delete(key);
	});
}

/**
 * Records events in n8n's store. Returns the hashes of the events that no other execution has
 * output. If the store is unavailable, returns the hashes of all events, because a repeated event
 * is better than a lost one.
 *
 * @param events oldest first
 */
async function claimEvents(
	n8n: IExecuteFunctions,
	events: readonly DeliveredEvent[],
): Promise<string[]> {
	const all = events.map(({ digest }) => digest);
	const digests = events.flatMap(listDigests);
	const [{ delivery } = { delivery: '' }] = events;
	try {
		// The delivery of each event may also have been recorded.
		const hasDropped = await mayHaveDroppedKeys(n8n, digests.length + events.length);
		const known = await storeAndFindDuplicateKeys(n8n, digests, delivery);
		// If n8n or its queue worker was killed, the same execution runs again. It must output its
		// events, although they are recorded.
		if (known.has(delivery)) return all;
		const isKnown = (event: DeliveredEvent) => listDigests(event).some((one) => known.has(one));
		// If keys were dropped, events older than the oldest known one may have been received too.
		const start = hasDropped ? Math.max(events.findIndex(isKnown), 0) : 0;
		return events
			.slice(start)
			.filter((event) => !isKnown(event))
			.map(({ digest }) => digest);
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot check whether an event has already been received: ${(error as Error).message}`,
		);
		return all;
	}
}

/**
 * Creates the output items for webhook deliveries, or for missed events found by a check. Omits
 * events that another execution has already output.
 *
 * A manual execution outputs every event and records none. The service also delivers each event to
 * the production URL, and the published workflow must still output it.
 */
export async function emitDeliveredEvents(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	// With Always Output Data, n8n would start the workflow with an empty item for a repeated event.
	n8n.getExecuteData().node.alwaysOutputData = false;
	const events = n8n.getInputData().map(({ json }) => json as DeliveredEvent);
	const isManual = n8n.getMode() === 'manual';
	const claimed = await decideOutputOnce(n8n, async () =>
		isManual ? events.map(({ digest }) => digest) : await claimEvents(n8n, events),
	);
	const items: INodeExecutionData[] = [];
	for (const [i, event] of events.entries()) {
		if (claimed.has(event.digest)) items.push(await createEventItem(n8n, event, i));
	}
	return items;
}
