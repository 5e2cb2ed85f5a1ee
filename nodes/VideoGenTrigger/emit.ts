/** What a delivered event is made into, in the execution that it has started. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createEventItem, type ServiceEvent } from '../shared/events';
import { claimEvent } from './duplicates';

/** What `webhook()` hands over, as the input of the node. */
export interface DeliveredEvent extends ServiceEvent, IDataObject {
	/** Of the body of the delivery, in hex. */
	digest: string;
	/** Random: of this delivery alone. */
	delivery: string;
}

/** The items of the events that came in; none for an event that another run has given out. */
export async function emitDeliveredEvents(n8n: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items: INodeExecutionData[] = [];
	for (const [i, { json }] of n8n.getInputData().entries()) {
		const received = json as DeliveredEvent;
		const item = await createEventItem(n8n, received, i);
		// At the end: a try that failed must not make the next one a repeat.
		if (await claimEvent(n8n, received.digest, received.delivery)) items.push(item);
	}
	return items;
}
