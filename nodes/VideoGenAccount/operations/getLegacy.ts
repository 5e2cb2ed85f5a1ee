import { operation } from '../../core/operation';

export const getLegacy = operation({
	value: 'getLegacy',
	name: 'Get (Legacy V1)',
	action: 'Get the account with the legacy route',
	description: 'Read the same facts by the legacy route; prefer Get',
	request: 'GET /v1/user/me',
	fields: [],
});
