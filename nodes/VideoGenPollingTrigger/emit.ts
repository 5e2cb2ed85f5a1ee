/** Outputs the events of a poll in the execution that the poll started. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../core/json';
import { createEventItem, recordMarks, type ServiceEvent } from '../shared/events';

/** Event that a poll passes to its execution, as the JSON of an input item. */
export interface PolledEvent extends ServiceEvent, IDataObject {
	/** Key of the event in n8n's store of processed events. */
	mark: string;
	/**
	 * Random ID of the poll. All events of the poll share it, and retries of its execution keep it.
	 */
	run: string;
}

/** Whether an input item holds an event of a poll. The input item of Fetch Test Event is empty. */
export const isPolledEvent = (json: IDataObject): json is PolledEvent =>
	isObject(json.event) && typeof json.mark === 'string';

/** Maximum number of marks that n8n stores for one trigger: enough for the most recent events. */
const maxRecordedMarks = 4_000;

/**
 * Records marks in n8n's store of processed events. Returns the marks that were recorded before, or
 * none if the store is unavailable.
 */
async function recordKnownMarks(
	n8n: IExecuteFunctions,
	marks: string[],
): Promise<ReadonlySet<unknown>> {
	try {
		return await recordMarks(n8n, marks, maxRecordedMarks);
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot check whether events were processed before: ${(error as Error).message}`,
		);
		return new Set();
	}
}

/** Creates the output items of polled events, without events that another execution has output. */
export async function emitPolledEvents(
	n8n: IExecuteFunctions,
	received: readonly PolledEvent[],
): Promise<INodeExecutionData[]> {
	const items = await Promise.all(
		received.map(async (one, i) => await createEventItem(n8n, one, i)),
	);
	const mode = n8n.getMode();
	if (mode === 'manual') return items;
	const [{ run } = { run: '' }] = received;
	// Recorded last, so that a failed attempt does not make its retry look like a repeat.
	const known = await recordKnownMarks(n8n, [...received.map(({ mark }) => mark), run]);
	// A retried execution outputs its events although they are recorded.
	if (mode === 'retry' && known.has(run)) return items;
	return items.filter((_, i) => !known.has(received[i]?.mark));
}
