import { defineOperation } from '../../core/operation';
import { webhookEndpointField } from '../../fields/webhook';

export const deleteEndpoint = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete endpoint',
	description: 'Permanently delete an endpoint so that it receives no more events',
	request: 'DELETE /v3/webhooks/endpoints/{endpoint_id}',
	fields: [webhookEndpointField],
});
