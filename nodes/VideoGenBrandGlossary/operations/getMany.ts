import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many brand glossaries',
	description: "List the workspace's glossaries, without their terms",
	request: 'GET /v3/brand-glossaries',
	list: { pageSize: apiLimits['GET /v3/brand-glossaries'].limit.max },
	simple: ['name', 'created_at', 'updated_at'],
});
