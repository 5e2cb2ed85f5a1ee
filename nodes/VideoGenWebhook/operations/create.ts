import { operation } from '../../core/operation';
import { endpointUrl, entityId, endpointEvents, secretNotice } from '../../fields/webhook';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Register an address for events',
	description: 'Register an address for events; the reply holds its secret, this one time only',
	request: 'POST /v3/webhooks/endpoints',
	fields: [{ ...endpointUrl, required: true }, endpointEvents, secretNotice],
	options: [entityId],
	// Without the field the service delivers all events; what an empty list means is not known
	// (docs/service.md, Events and deliveries).
	body: ({ values: { events: chosen }, payload }) =>
		chosen && chosen.length > 0 ? { ...payload, events: chosen } : payload,
	idempotent: true,
});
