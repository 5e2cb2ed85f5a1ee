import { defineOperation } from '../../core/operation';
import { createRemovalExplanations, legacyNotice } from '../../fields/legacy';

export const getLegacy = defineOperation({
	value: 'getLegacy',
	name: 'Get (Legacy)',
	action: 'Get account (Legacy)',
	description:
		'Get account details from the legacy API, which the service is retiring; use Get instead',
	request: 'GET /v1/user/me',
	returns: ['username', 'email', 'billing_type', 'wallet', 'remaining_credits'],
	fields: [legacyNotice],
	explanations: createRemovalExplanations('the operation Get'),
});
