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
import { createEventItem, getExecutionEventKeys, type ServiceEvent } from '../shared/eventItems';
import { getTriggerId } from '../shared/triggerState';
import { storeAndFindDuplicateKeys } from './deduplicationStore';

/**
 * Event of a webhook delivery. The delivery starts an execution, which receives the event as an
 * input item's JSON.
 */
export interface DeliveredEvent extends ServiceEvent, IDataObject {
	/**
	 * Hash of the event's ID or, if the event has no ID, of the signed body. Equal for all
	 * deliveries of the same event.
	 */
	digest: string;
	/** Hashes of the same event's IDs for other endpoints, if it was found in the service's list. */
	otherDigests?: string[];
	/** Random ID of this delivery. It stays the same when the execution runs again. */
	delivery: string;
}

/** Creates the input of an execution from an event and the hash of the event's ID. */
export const createDeliveredEvent = (event: IDataObject, digest: string): DeliveredEvent => ({
	event,
	eventId: digest,
	digest,
	delivery: randomUUID(),
});

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Status of recent webhook deliveries: `inProgress` while n8n stores a delivery, then `started`.
 * The keys are those of `createDeliveryKey`. Statuses are kept for 25 hours, because the service
 * repeats deliveries for 24 hours and the trigger rejects events older than 25 hours.
 */
const deliveryStates = createBoundedMap<'inProgress' | 'started'>(20_000, 25 * 3600);

/** Creates the key of an event for one trigger. While n8n listens for a test event, it is another. */
export const createDeliveryKey = (n8n: ITriggerFunctions | IWebhookFunctions, digest: string) =>
	`${getTriggerId(n8n)} ${n8n.getMode() === 'manual'} ${digest}`;

/**
 * Returns `inProgress` if a webhook delivery is currently being stored, `started` if it was stored
 * before, or undefined if it is new.
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
 * Records an event and returns whether this execution should output it. Returns false only if
 * another execution has already output the event. If n8n's store is unavailable, returns true,
 * because a repeated event is better than a lost one.
 *
 * A manual execution outputs every event and records none, because the published workflow must
 * still output an event that the service also delivers to the production URL.
 */
async function claimEvent(n8n: IExecuteFunctions, event: DeliveredEvent): Promise<boolean> {
	if (n8n.getMode() === 'manual') return true;
	const { digest, otherDigests, delivery } = event;
	const output = getExecutionEventKeys(n8n);
	if (output.has(digest)) return true;
	try {
		const known = await storeAndFindDuplicateKeys(n8n, event);
		const digests = [digest, ...(otherDigests ?? [])];
		// The same execution runs again if the user retries it, or if its queue worker was killed. It
		// outputs its event, unless a repeated delivery has output it in between.
		const isNew = !digests.some((one) => known.has(one)) || known.has(delivery);
		if (isNew) output.add(digest);
		return isNew;
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot check whether an event was received before: ${(error as Error).message}`,
		);
		return true;
	}
}

/**
 * Creates the output items for webhook deliveries. Omits events that another execution has already
 * output.
 */
export async function emitDeliveredEvents(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	// With Always Output Data, n8n would start the workflow with an empty item for a repeated event.
	n8n.getExecuteData().node.alwaysOutputData = false;
	const items: INodeExecutionData[] = [];
	for (const [i, { json }] of n8n.getInputData().entries()) {
		const event = json as DeliveredEvent;
		const item = await createEventItem(n8n, event, i);
		// Claimed last, so that a failed attempt does not make its retry look like a repeat.
		if (await claimEvent(n8n, event)) items.push(item);
	}
	return items;
}
