import { operation } from '../../core/operation';

export const getLegacy = operation({
	value: 'getLegacy',
	name: 'Get (Legacy)',
	action: 'Get the account (Legacy)',
	description: 'Get the same details from the legacy API; prefer Get',
	request: 'GET /v1/user/me',
});
