/** Outputs the events of a poll, in the execution that the poll has started. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../core/json';
import { createEventItem, recordMarks, type ServiceEvent } from '../shared/events';

/** An event that a poll hands to its execution, as the json of an input item. */
export interface PolledEvent extends ServiceEvent, IDataObject {
	/** Identifies the event in n8n's store of processed events. */
	mark: string;
	/** Random ID of the poll: the same in a retry of its execution, and in no other. */
	run: string;
}

/** Whether an input item is an event of a poll; that of Fetch Test Event is empty. */
export const isPolledEvent = (json: IDataObject): json is PolledEvent =>
	isObject(json.event) && typeof json.mark === 'string';

/** Entries that n8n keeps for one trigger: those of the last polls with news. */
const maxRecordedMarks = 4_000;

/** Records marks in n8n's store. Returns those that were recorded before. */
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

/** The items of the events, without those that another execution has output. */
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
	// Recorded last: an attempt that failed must not make the next one a repeat.
	const known = await recordKnownMarks(n8n, [...received.map(({ mark }) => mark), run]);
	// A retry of the execution continues where it failed.
	if (mode === 'retry' && known.has(run)) return items;
	return items.filter((_, i) => !known.has(received[i]?.mark));
}
