import { defineOperation } from '../../core/operation';
import { webhookEndpointField, signingSecretNotice } from '../../fields/webhook';

export const rotateSecret = defineOperation({
	value: 'rotateSecret',
	name: 'Rotate Secret',
	action: 'Change signing secret of endpoint',
	description:
		'Replace the signing secret. The old secret stops working immediately, so update the receiver right away.',
	request: 'POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret',
	fields: [
		webhookEndpointField,
		{
			displayName:
				'The old secret stops working immediately: the receiver rejects all events until it has the new one. Do not rotate the secret of an endpoint that a VideoGen Trigger has registered.',
			name: 'rotateNotice',
			type: 'notice',
			default: '',
			in: 'local',
		},
		signingSecretNotice,
	],
	idempotent: true,
	destructive: true,
});
