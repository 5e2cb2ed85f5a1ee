import { operation } from '../../core/operation';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get the account',
	description: 'Read who the credential belongs to, how the account pays, and what credit is left',
	request: 'GET /v3/users/me',
});
