import { operation } from '../../core/operation';
import { endpoint } from '../../fields/webhook';
import { groups } from '../groups';

export const deleteEndpoint = operation({
	value: 'delete',
	group: groups.endpoint,
	name: 'Delete',
	action: 'Delete an endpoint',
	description: 'Remove an address for good; nothing is delivered to it any more',
	request: 'DELETE /v3/webhooks/endpoints/{endpoint_id}',
	fields: [endpoint],
	// The reply is empty: the item says what is gone.
	async execute({ send }, values) {
		return [{ json: { ...(await send()), endpoint_id: values.endpoint_id, deleted: true } }];
	},
});
