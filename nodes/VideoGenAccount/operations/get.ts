import { defineOperation } from '../../core/operation';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get account',
	description: 'Get the current user, billing type and remaining credit',
	request: 'GET /v3/users/me',
	returns: ['username', 'email', 'billing_type', 'wallet', 'remaining_credits'],
});
