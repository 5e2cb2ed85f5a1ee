import { defineOperation } from '../../core/operation';
import {
	endpointUrlField,
	entityIdField,
	endpointEventsField,
	signingSecretNotice,
} from '../../fields/webhook';

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Register URL for events',
	description:
		'Register a URL for events and get its signing secret, which the service returns only once',
	request: 'POST /v3/webhooks/endpoints',
	returns: ['url', 'events', 'status'],
	fields: [{ ...endpointUrlField, required: true }, endpointEventsField, signingSecretNotice],
	options: [entityIdField],
	// Without the `events` field, the service delivers all events. The meaning of an empty list is
	// unknown (service.md, Events and deliveries).
	body: ({ values: { events }, payload }) =>
		events && events.length > 0 ? { ...payload, events } : payload,
	idempotent: true,
});
