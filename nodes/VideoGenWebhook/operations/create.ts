import { operation } from '../../core/operation';
import { endpointUrl, entityId, events, secretNotice } from '../../fields/webhook';
import { groups } from '../groups';

export const create = operation({
	value: 'create',
	group: groups.endpoint,
	name: 'Create',
	action: 'Create an endpoint',
	description: 'Register an address for events; the reply holds its secret, this one time only',
	request: 'POST /v3/webhooks/endpoints',
	fields: [{ ...endpointUrl, required: true }, events, secretNotice],
	options: [entityId],
	// Without the field the service delivers all events; what an empty list means is not known.
	body: ({ values: { events: chosen }, plain }) =>
		chosen && chosen.length > 0 ? { ...plain, events: chosen } : plain,
	idempotent: true,
});
