import { defineOperation } from '../../core/operation';

export const getKey = defineOperation({
	value: 'getKey',
	name: 'Get API Key',
	action: 'Get API key details',
	description: 'Get the name, scopes and expiry of the API key in the credential',
	request: 'GET /v3/api_keys/self',
	returns: ['key_name', 'status', 'scopes', 'expires_at'],
});
