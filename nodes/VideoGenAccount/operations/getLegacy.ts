import { operation } from '../../core/operation';

export const getLegacy = operation({
	value: 'getLegacy',
	name: 'Get (Legacy)',
	action: 'Get the account (Legacy)',
	description: 'Read the same facts in the older way of the service; prefer Get',
	request: 'GET /v1/user/me',
});
