/**
 * Outputs the events of webhook deliveries. Ensures that each event is output only once, although
 * the service repeats a delivery until it receives a 2xx response.
 *
 * There are two checks. The first uses the memory of this process and rejects repeated deliveries
 * before an execution starts. The second uses n8n's deduplication store, which survives restarts
 * and is shared by all n8n processes. The second check runs in the execution, so a repeated
 * delivery that only the store recognizes starts an execution that outputs no items.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { createEventItem, recordAndFindSeenEventKeys, type ServiceEvent } from '../shared/events';

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
	/** Random ID of this delivery. It stays the same when the execution is retried. */
	delivery: string;
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Status of recent webhook deliveries: `inProgress` while n8n stores a delivery, then `started`.
 * The key combines the trigger's URL with a hash of the event. Statuses are kept for 25 hours,
 * because the service repeats deliveries for 24 hours and the trigger rejects events older than 25
 * hours.
 */
const deliveryStates = createBoundedMap<'inProgress' | 'started'>(20_000, 25 * 3600);

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
export function rememberDelivery(key: string, response: WebhookResponse): void {
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
 * Maximum number of deduplication keys that n8n stores for one trigger. Each delivery has two keys:
 * a hash of its event and a random ID.
 */
const maxRecordedDeliveries = 2_000;

/**
 * Maximum number of recent deduplication keys to remember. Each write includes them again, because
 * another process may have overwritten them.
 */
const maxRecentMarks = 400;

/**
 * Average delay in milliseconds before the trigger checks whether another process has overwritten
 * its deduplication keys.
 */
const recheckDelay = 1_000;

/**
 * Function that writes deduplication keys to n8n's store. Returns the keys that were already
 * stored.
 */
type RecordMarks = (marks: string[]) => Promise<ReadonlySet<unknown>>;

/** Queue that writes one trigger's deduplication keys to n8n's store, one write at a time. */
interface RecordQueue {
	/** Resolves when all writes in the queue have ended. */
	last: Promise<void>;
	/**
	 * Next write in the queue: the deduplication keys to write, and a promise that resolves to
	 * those that were already stored.
	 */
	next?: { marks: Set<string>; known: Promise<ReadonlySet<unknown>> };
	/** Deduplication keys that this process has written recently, newest last. */
	recent: string[];
	/**
	 * Whether this process is currently checking its recent keys and restoring any that another
	 * process has overwritten.
	 */
	isRestoring?: boolean;
}

/**
 * Queues that write deduplication keys to n8n's store, one queue per trigger. If this map drops a
 * queue, later writes no longer include its recent keys, so they cannot restore overwritten ones.
 */
export const recordQueues = createBoundedMap<RecordQueue>(1_000, 3600);

/** Runs an action after all actions already in the queue. Returns the action's result. */
function runInTurn<T>(queue: RecordQueue, act: () => Promise<T>): Promise<T> {
	const result = queue.last.then(act);
	const ignoreResult = () => undefined;
	queue.last = result.then(ignoreResult, ignoreResult);
	return result;
}

/**
 * Writes deduplication keys to n8n's store. Returns the keys that n8n or this process had already
 * stored.
 *
 * n8n always writes all of a trigger's keys together, so keys that another process writes at the
 * same time are lost. Each write therefore includes the recent keys again, and a later check
 * restores missing ones.
 */
async function writeMarks(queue: RecordQueue, marks: readonly string[], record: RecordMarks) {
	const { recent } = queue;
	const known = await record([...recent, ...marks]);
	queue.recent = [...recent, ...marks.filter((mark) => !recent.includes(mark))].slice(
		-maxRecentMarks,
	);
	void restoreMarks(queue, record);
	return new Set([...known, ...recent]);
}

/** Rewrites the recent deduplication keys until n8n's store contains all of them. */
async function restoreMarks(queue: RecordQueue, record: RecordMarks): Promise<void> {
	if (queue.isRestoring) return;
	queue.isRestoring = true;
	try {
		for (let isComplete = false; !isComplete;) {
			// A random pause keeps processes from writing at the same moment.
			await clock.sleep(recheckDelay * (0.5 + Math.random()));
			isComplete = await runInTurn(queue, async () => {
				const { recent } = queue;
				const known = await record([...recent]);
				return queue.recent === recent && recent.every((mark) => known.has(mark));
			});
		}
	} catch {
		// The next write restores the keys.
	} finally {
		queue.isRestoring = false;
	}
}

/**
 * Stores the two deduplication keys of a delivery. Returns the keys that were already stored. Keys
 * of deliveries that arrive during a write are stored together in the next write.
 */
async function recordDelivery(
	place: string,
	{ digest, delivery }: DeliveredEvent,
	record: RecordMarks,
): Promise<ReadonlySet<unknown>> {
	const queue: RecordQueue = recordQueues.get(place) ?? {
		last: Promise.resolve(),
		recent: [],
	};
	recordQueues.set(place, queue);
	// Another execution of the same event is already queued for recording.
	if (queue.next?.marks.has(digest)) return new Set([digest]);
	if (!queue.next) {
		const marks = new Set<string>();
		const known = runInTurn(queue, async () => {
			queue.next = undefined;
			return await writeMarks(queue, [...marks], record);
		});
		queue.next = { marks, known };
	}
	const { marks, known } = queue.next;
	marks.add(digest).add(delivery);
	return await known;
}

/**
 * Records an event and returns whether this execution should output it. It should, unless another
 * execution has already output the event. If n8n's store is unavailable, the event is output
 * anyway, because a repeated event is better than a lost one.
 *
 * A manual execution outputs every event and records none, because the published workflow must
 * still output an event that the service also delivers to the production URL.
 */
async function claimEvent(n8n: IExecuteFunctions, event: DeliveredEvent): Promise<boolean> {
	const mode = n8n.getMode();
	if (mode === 'manual') return true;
	const record = async (marks: string[]) =>
		await recordAndFindSeenEventKeys(n8n, marks, maxRecordedDeliveries);
	const { digest, delivery } = event;
	try {
		const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
		const known = await recordDelivery(place, event, record);
		// A retried execution outputs its event, unless a repeated delivery has output it in between.
		return !known.has(digest) || (mode === 'retry' && known.has(delivery));
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
	const items: INodeExecutionData[] = [];
	for (const [i, { json }] of n8n.getInputData().entries()) {
		const event = json as DeliveredEvent;
		const item = await createEventItem(n8n, event, i);
		// Claimed last, so that a failed attempt does not make its retry look like a repeat.
		if (await claimEvent(n8n, event)) items.push(item);
	}
	return items;
}
