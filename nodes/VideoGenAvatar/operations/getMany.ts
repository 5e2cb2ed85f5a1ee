import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { ownershipField } from '../avatarFields';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many avatars',
	description: 'List your own avatars and those in the public catalog',
	request: 'GET /v3/avatars',
	options: [ownershipField],
	list: { pageSize: apiLimits['GET /v3/avatars'].limit.max },
	simple: [
		'name',
		'status',
		'consent_status',
		'looks_count',
		'gender',
		'created_at',
		'error.code',
		'error.message',
	],
});
