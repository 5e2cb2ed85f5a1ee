import { defineOperation } from '../../core/operation';
import { readEventTypeFromRow } from '../../fields/webhook';

export const getEventTypes = defineOperation({
	value: 'getTypes',
	name: 'Get Types',
	action: 'Get event types',
	description: 'List the event types that the service can deliver, with their meanings',
	request: 'GET /v3/webhooks/event-types',
	returns: ['event_type', 'description'],
	list: 'unpaged',
	itemId: null,
	reshapeItems: (items) =>
		items.map((item) => {
			const type = readEventTypeFromRow(item.json);
			return type === undefined ? item : { ...item, json: { ...item.json, event_type: type } };
		}),
});
