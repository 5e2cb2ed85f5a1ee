import { operation } from '../../core/operation';
import { endpoint } from '../../fields/webhook';

export const deleteEndpoint = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete an endpoint',
	description: 'Remove an address for good; nothing is delivered to it any more',
	request: 'DELETE /v3/webhooks/endpoints/{endpoint_id}',
	fields: [endpoint],
});
