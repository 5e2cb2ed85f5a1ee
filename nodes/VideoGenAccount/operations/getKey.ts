import { operation } from '../../core/operation';

export const getKey = operation({
	value: 'getKey',
	name: 'Get API Key',
	action: 'Get the API key in use',
	description: 'Read name, scopes and expiry of the API key that the credential holds',
	request: 'GET /v3/api_keys/self',
});
