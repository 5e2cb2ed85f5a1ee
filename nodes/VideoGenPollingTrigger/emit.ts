/** What the run that a poll has started puts out. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../core/json';
import { createEventItem, recordMarks, type ServiceEvent } from '../shared/events';

/** What `poll()` hands over, as the input of the node. */
export interface PolledEvent extends ServiceEvent, IDataObject {
	/** The same whenever the event is given out. */
	mark: string;
	/** Random: of the poll that found it; the same in a retry of its run, and in no other. */
	run: string;
}

/** Whether an item is what a poll has found; a test begins with an empty one. */
export const isPolledEvent = (json: IDataObject): json is PolledEvent =>
	isObject(json.event) && typeof json.mark === 'string';

/** Entries that n8n keeps for one trigger: those of the last polls with news. */
const maxRecordedMarks = 4_000;

/** Which of these marks n8n has in its record already; from now on it has all of them. */
async function recordKnownMarks(
	n8n: IExecuteFunctions,
	marks: string[],
): Promise<ReadonlySet<unknown>> {
	try {
		return await recordMarks(n8n, marks, maxRecordedMarks);
	} catch (error) {
		n8n.logger.warn(
			`${n8n.getNode().name} cannot tell whether events ran before: ${(error as Error).message}`,
		);
		return new Set();
	}
}

/** The items of the events that came in, but for those that another run has put out. */
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
	// At the end: a try that failed must not make the next one a repeat.
	const known = await recordKnownMarks(n8n, [...received.map(({ mark }) => mark), run]);
	// A retry goes on with what was cut.
	if (mode === 'retry' && known.has(run)) return items;
	return items.filter((_, i) => !known.has(received[i]?.mark));
}
