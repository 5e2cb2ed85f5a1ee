/** Creates the polling trigger's output items from the events found by a poll. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../core/json';
import {
	createEventItem,
	decideOutputOnce,
	recordAndFindSeenEventKeys,
	type ServiceEvent,
} from '../shared/eventItems';

/**
 * Event found by a poll. The poll starts an execution, which receives the event as an input item's
 * JSON.
 */
export interface PolledEvent extends ServiceEvent, IDataObject {
	/**
	 * The event's deduplication key. The trigger stores these keys in n8n to recognize events that
	 * it has already output.
	 */
	mark: string;
	/**
	 * Random ID of the poll that found the event. The ID stays the same if n8n runs the execution
	 * again.
	 */
	run: string;
}

/**
 * Whether an input item's JSON is an event found by a poll. If the user clicked Fetch Test Event,
 * the input item is empty instead.
 */
export const isPolledEvent = (json: IDataObject): json is PolledEvent =>
	isObject(json.event) && typeof json.mark === 'string';

/**
 * Maximum number of deduplication keys that n8n stores for one trigger. Older keys are not needed,
 * because polls repeat only recent events.
 */
const maxRecordedMarks = 4_000;

/**
 * Stores deduplication keys in n8n. Returns the keys that were already stored, or an empty set if
 * n8n's store is unavailable.
 */
async function recordKnownMarks(
	n8n: IExecuteFunctions,
	marks: string[],
): Promise<ReadonlySet<unknown>> {
	try {
		return await recordAndFindSeenEventKeys(n8n, marks, maxRecordedMarks);
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} could not check whether events had already been processed: ${(error as Error).message}`,
		);
		return new Set();
	}
}

/**
 * Creates output items for the events that a poll found. Skips events that another execution has
 * already output.
 */
export async function emitPolledEvents(
	n8n: IExecuteFunctions,
	received: readonly PolledEvent[],
): Promise<INodeExecutionData[]> {
	// With Always Output Data, n8n would start the workflow with an empty item for repeated events.
	n8n.getExecuteData().node.alwaysOutputData = false;
	const items = await Promise.all(
		received.map(async (one, i) => await createEventItem(n8n, one, i)),
	);
	if (n8n.getMode() === 'manual') return items;
	const [{ run } = { run: '' }] = received;
	const marks = received.map(({ mark }) => mark);
	// Recorded last. Otherwise, a failed attempt would make its own retry look like a duplicate.
	const output = await decideOutputOnce(n8n, async () => {
		const known = await recordKnownMarks(n8n, [...marks, run]);
		// If n8n or its queue worker was killed, the same execution runs again. It must output its
		// events, although they are recorded.
		return known.has(run) ? marks : marks.filter((mark) => !known.has(mark));
	});
	return items.filter((_, i) => output.has(received[i]?.mark ?? ''));
}
