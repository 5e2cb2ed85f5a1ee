import { z } from 'zod';
import { operation } from '../../core/operation';
import { endpoint, endpointUrl, endpointEvents } from '../../fields/webhook';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Change the address or events of an endpoint',
	description: 'Change the address or the events; the secret stays the same',
	request: 'PATCH /v3/webhooks/endpoints/{endpoint_id}',
	fields: [
		endpoint,
		{
			displayName: 'Subscribe To',
			name: 'subscribeTo',
			type: 'options',
			options: [
				{ name: 'All Events', value: 'all', description: 'Also those that are added later' },
				{ name: 'Chosen Events', value: 'chosen', description: 'These and no others' },
				{ name: 'The Same as Before', value: 'same', description: 'Leave the events alone' },
			],
			default: 'same',
			description: 'Which events are delivered from now on',
			schema: z.enum(['same', 'all', 'chosen']),
			in: 'local',
		},
		{
			...endpointEvents,
			required: true,
			displayOptions: { show: { subscribeTo: ['chosen'] } },
			description:
				'The events that are delivered from now on, in place of all that were chosen before. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			schema: z.array(z.string().min(1)).min(1),
		},
	],
	options: [{ ...endpointUrl, description: 'The new address; it must begin with https://' }],
	check: (values) => [
		values.url === undefined &&
			values.subscribeTo === 'same' &&
			values.additionalBodyFields === undefined &&
			'There is nothing to update: add the option URL, or choose other events under "Subscribe To"',
	],
	body: ({ values, payload }) => {
		if (values.subscribeTo === 'all') return { ...payload, events: null };
		return values.subscribeTo === 'chosen' ? { ...payload, events: values.events } : payload;
	},
});
