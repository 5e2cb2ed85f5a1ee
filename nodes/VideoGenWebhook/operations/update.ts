import { z } from 'zod';
import { defineOperation } from '../../core/operation';
import { webhookEndpointField, endpointUrlField, endpointEventsField } from '../../fields/webhook';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Change URL or events of endpoint',
	description: "Change an endpoint's URL or events without changing its signing secret",
	request: 'PATCH /v3/webhooks/endpoints/{endpoint_id}',
	returns: ['url', 'events', 'status'],
	fields: [
		webhookEndpointField,
		{
			displayName: 'Subscribe To',
			name: 'subscribeTo',
			type: 'options',
			options: [
				{
					name: 'All Events',
					value: 'all',
					description: 'All events, including types added later',
				},
				{
					name: 'Selected Events',
					value: 'chosen',
					description: 'Only the events that you choose',
				},
				{ name: 'Keep Current Events', value: 'same', description: 'Leave the events unchanged' },
			],
			default: 'same',
			description: 'Events to deliver from now on',
			schema: z.enum(['same', 'all', 'chosen']),
			in: 'local',
		},
		{
			...endpointEventsField,
			required: true,
			displayOptions: { show: { subscribeTo: ['chosen'] } },
			description:
				'The events to deliver from now on, replacing all earlier choices. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			schema: z.array(z.string().min(1)).min(1),
		},
	],
	options: [{ ...endpointUrlField, description: 'The new URL; it must begin with https://' }],
	check: (values) => [
		values.url === undefined &&
			values.subscribeTo === 'same' &&
			values.additionalBodyFields === undefined &&
			'There is nothing to update: add the URL option, or choose different events under "Subscribe To"',
	],
	body: ({ values, payload }) => {
		if (values.subscribeTo === 'all') return { ...payload, events: null };
		return values.subscribeTo === 'chosen' ? { ...payload, events: values.events } : payload;
	},
});
