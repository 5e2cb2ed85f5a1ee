/**
 * Ensures that each delivered event is output only once. The service repeats a delivery until it
 * gets a 2xx response.
 *
 * There are two records. The memory of this process rejects a repeat before it starts an execution.
 * n8n's store survives restarts and is shared by all n8n processes. A repeat that only this store
 * knows starts an execution, which ends at the trigger without items.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createBoundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { createEventItem, recordMarks, type ServiceEvent } from '../shared/events';

/** Delivered event that `webhook()` passes to its execution, as the JSON of an input item. */
export interface DeliveredEvent extends ServiceEvent, IDataObject {
	/** Hash of the delivered body in hex. Equal for all deliveries of the event. */
	digest: string;
	/** Random ID of this delivery. It stays the same when the execution is retried. */
	delivery: string;
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Deliveries that n8n is storing (`inProgress`) or has stored (`started`), by trigger URL and mark.
 * The service repeats deliveries for 24 hours, and the trigger refuses events older than 25 hours.
 */
const deliveryStates = createBoundedMap<'inProgress' | 'started'>(20_000, 25 * 3600);

/**
 * Returns the state of the delivery with one of these keys, or undefined if the delivery is new.
 */
export const findDeliveryState = (keys: readonly string[]) =>
	keys.map((key) => deliveryStates.get(key)).find((state) => state !== undefined);

/**
 * Marks a delivery as in progress, and as stored once n8n has responded with 2xx. If n8n cannot
 * store the execution, the mark is removed, so that the next delivery of the event is accepted.
 */
export function rememberDelivery(keys: readonly string[], response: WebhookResponse): void {
	for (const key of keys) deliveryStates.set(key, 'inProgress');
	// `close` is also emitted if the connection breaks before the response is sent.
	response.once('close', () => {
		const { statusCode, writableFinished } = response;
		const isStored = writableFinished && statusCode >= 200 && statusCode < 300;
		for (const key of keys) {
			if (isStored) deliveryStates.set(key, 'started');
			else deliveryStates.delete(key);
		}
	});
}

/** Maximum number of marks that n8n stores for one trigger. Each event has two. */
const maxRecordedDeliveries = 2_000;

/** Number of recent marks that each write repeats, in case another process has overwritten them. */
const maxRecentMarks = 400;

/**
 * Average number of milliseconds before a write is checked for marks that another process has
 * overwritten.
 */
const recheckDelay = 1_000;

/** Records marks in n8n's store of processed events. Returns those that were recorded before. */
type RecordMarks = (marks: string[]) => Promise<ReadonlySet<unknown>>;

/** Queue of writes to n8n's store for one trigger. They run one after another. */
interface RecordQueue {
	/** Resolves when the write in progress has ended. */
	last: Promise<void>;
	/** The next write: the marks to record, and a promise of those that were already recorded. */
	next?: { marks: Set<string>; known: Promise<ReadonlySet<unknown>> };
	/** Marks that this process has written recently, newest last. */
	recent: string[];
	/** Whether the process is rewriting marks that another process may have overwritten. */
	isRestoring?: boolean;
}

/** Queues by trigger. Evicting an entry risks losing marks that other processes overwrite. */
export const recordQueues = createBoundedMap<RecordQueue>(1_000, 3600);

/** Runs an action after the write in progress and all queued actions. */
function runInTurn<T>(queue: RecordQueue, act: () => Promise<T>): Promise<T> {
	const result = queue.last.then(act);
	const ignoreResult = () => undefined;
	queue.last = result.then(ignoreResult, ignoreResult);
	return result;
}

/**
 * Writes marks to n8n's store. Returns those that n8n or this process knew before. n8n reads the
 * record of a node, changes it and writes it back as a whole, which loses concurrent writes of
 * other processes. Each write therefore repeats the recent marks, and the last one is checked
 * afterwards.
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

/** Rewrites the recent marks until none is missing and no new ones were added. */
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
		// The next write restores the marks.
	} finally {
		queue.isRestoring = false;
	}
}

/**
 * Records both marks of a delivery. Returns those that were recorded before. Deliveries that arrive
 * during a write share the next one.
 */
async function recordDelivery(
	place: string,
	{ digest, delivery }: DeliveredEvent,
	record: RecordMarks,
): Promise<ReadonlySet<unknown>> {
	const queue: RecordQueue = recordQueues.get(place) ?? { last: Promise.resolve(), recent: [] };
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
 * Whether this execution may output the event: no other one has done so. Also true if n8n's store
 * is unavailable, because a repeated event is better than a lost one.
 */
async function claimEvent(n8n: IExecuteFunctions, event: DeliveredEvent): Promise<boolean> {
	const record = async (marks: string[]) => await recordMarks(n8n, marks, maxRecordedDeliveries);
	const { digest, delivery } = event;
	const mode = n8n.getMode();
	try {
		const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
		const known = await recordDelivery(place, event, record);
		// A retried execution outputs its event, unless a repeated delivery has output it in between.
		return !known.has(digest) || mode === 'manual' || (mode === 'retry' && known.has(delivery));
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot check whether an event came before: ${(error as Error).message}`,
		);
		return true;
	}
}

/**
 * Creates the output items of delivered events, without events that another execution has output.
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
