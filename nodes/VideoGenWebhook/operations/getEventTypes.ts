import type { INodeExecutionData } from 'n8n-workflow';
import { operation } from '../../core/operation';
import { groups } from '../groups';

export const getEventTypes = operation({
	value: 'getEventTypes',
	group: groups.event,
	name: 'Get Types',
	action: 'Get the types of events',
	description: 'List the types of events that the service can deliver, with what they mean',
	request: 'GET /v3/webhooks/event-types',
	fields: [],
	// This list takes no page size.
	async execute({ client }) {
		const items: INodeExecutionData[] = [];
		for await (const { rows } of client.pages({ line: 'GET /v3/webhooks/event-types' })) {
			items.push(...rows.map((json) => ({ json })));
		}
		return items;
	},
});
