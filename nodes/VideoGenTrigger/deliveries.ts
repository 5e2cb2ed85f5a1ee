/**
 * Deliveries of events: each event is output once, however often the service sends it. The service
 * repeats a delivery until it gets a 2xx response.
 *
 * There are two records. The memory of this process refuses a repeat before it starts an execution.
 * n8n's own store survives restarts and is shared by all processes of n8n; a repeat that only this
 * store knows starts an execution, which ends at the trigger without items.
 */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IWebhookFunctions,
} from 'n8n-workflow';
import { boundedMap } from '../core/boundedMap';
import { clock } from '../core/clock';
import { createEventItem, recordMarks, type ServiceEvent } from '../shared/events';

/** A delivered event that `webhook()` hands to its execution, as the json of an input item. */
export interface DeliveredEvent extends ServiceEvent, IDataObject {
	/** Hash of the delivered body, in hex: the same for every delivery of the event. */
	digest: string;
	/** Random ID of this delivery: the same in a retry of its execution, and in no other. */
	delivery: string;
}

type WebhookResponse = ReturnType<IWebhookFunctions['getResponseObject']>;

/**
 * Whether n8n is storing an execution for a delivery (`underWay`) or has stored one, by URL of the
 * trigger and mark. The service repeats for 24 hours, and events older than 25 are refused.
 */
const deliveryStates = boundedMap<'underWay' | 'started'>(20_000, 25 * 3600);

/** The state of a delivery that has one of these keys; undefined for a new one. */
export const findDeliveryState = (keys: readonly string[]) =>
	keys.map((key) => deliveryStates.get(key)).find((state) => state !== undefined);

/**
 * Remembers a delivery once n8n has responded with 2xx. If n8n could not store the execution, the
 * service sends the event again, and it must be accepted then.
 */
export function rememberDelivery(keys: readonly string[], response: WebhookResponse): void {
	for (const key of keys) deliveryStates.set(key, 'underWay');
	// Also emitted if the connection breaks before the response is sent.
	response.once('close', () => {
		const { statusCode, writableFinished } = response;
		const isStored = writableFinished && statusCode >= 200 && statusCode < 300;
		for (const key of keys) {
			if (isStored) deliveryStates.set(key, 'started');
			else deliveryStates.delete(key);
		}
	});
}

/** Entries that n8n keeps for one trigger, two for each event. */
const maxRecordedDeliveries = 2_000;

/** Marks that each write repeats, in case another process has overwritten them. */
const maxRecentMarks = 400;

/** Average milliseconds between a write and the check whether another process has overwritten it. */
const recheckDelay = 1_000;

/** Records marks in n8n's store. Returns those that were recorded before. */
type RecordMarks = (marks: string[]) => Promise<ReadonlySet<unknown>>;

/** Writes to n8n's store for one trigger, one after the other. */
interface RecordQueue {
	/** Resolves when the write in progress has ended. */
	last: Promise<void>;
	/** Marks of the next write, and which of them were known before. */
	next?: { marks: Set<string>; known: Promise<ReadonlySet<unknown>> };
	/** Marks that this process has written lately, newest last. */
	recent: string[];
	/** Whether the process is checking for marks that another process has overwritten. */
	isKept?: boolean;
}

/** By trigger. Evicting an entry loses the marks that other processes overwrite. */
export const recordQueues = boundedMap<RecordQueue>(1_000, 3600);

/** Runs an action when the write in progress has ended. */
function runInTurn<T>(queue: RecordQueue, act: () => Promise<T>): Promise<T> {
	const result = queue.last.then(act);
	const ignoreResult = () => undefined;
	queue.last = result.then(ignoreResult, ignoreResult);
	return result;
}

/**
 * Writes marks. Returns those that n8n or this process knew before. n8n reads the record of a node,
 * changes it and writes it back as a whole, so that concurrent writes of other processes are lost.
 * Each write therefore repeats the recent marks, and the last one is checked afterwards.
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

/** Writes the recent marks again until none of them is missing and no new ones have come. */
async function restoreMarks(queue: RecordQueue, record: RecordMarks): Promise<void> {
	if (queue.isKept) return;
	queue.isKept = true;
	try {
		for (let isComplete = false; !isComplete;) {
			// At a random time, or all processes would write at the same one.
			await clock.sleep(recheckDelay * (0.5 + Math.random()));
			isComplete = await runInTurn(queue, async () => {
				const { recent } = queue;
				const known = await record([...recent]);
				return queue.recent === recent && recent.every((mark) => known.has(mark));
			});
		}
	} catch {
		// The next write does the same.
	} finally {
		queue.isKept = false;
	}
}

/**
 * Records both marks of a delivery. Returns those that were recorded before. Deliveries that come
 * during a write share the next one.
 */
async function recordDelivery(
	place: string,
	{ digest, delivery }: DeliveredEvent,
	record: RecordMarks,
): Promise<ReadonlySet<unknown>> {
	const queue: RecordQueue = recordQueues.get(place) ?? { last: Promise.resolve(), recent: [] };
	recordQueues.set(place, queue);
	// Another execution of the same event is about to be recorded.
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
 * Whether this execution outputs the event: no other one has. Also true if n8n's store cannot be
 * read, because an event that comes twice is better than a lost one.
 */
async function claimEvent(n8n: IExecuteFunctions, event: DeliveredEvent): Promise<boolean> {
	const record = async (marks: string[]) => await recordMarks(n8n, marks, maxRecordedDeliveries);
	const { digest, delivery } = event;
	const mode = n8n.getMode();
	try {
		const place = `${n8n.getWorkflow().id} ${n8n.getNode().id}`;
		const known = await recordDelivery(place, event, record);
		// A retry of the execution continues where it failed, unless the event came again and ran.
		return !known.has(digest) || mode === 'manual' || (mode === 'retry' && known.has(delivery));
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot check whether an event came before: ${(error as Error).message}`,
		);
		return true;
	}
}

/** The items of the delivered events, without those that another execution has output. */
export async function emitDeliveredEvents(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const [i, { json }] of n8n.getInputData().entries()) {
		const event = json as DeliveredEvent;
		const item = await createEventItem(n8n, event, i);
		// Claimed last: an attempt that failed must not make the next one a repeat.
		if (await claimEvent(n8n, event)) items.push(item);
	}
	return items;
}
