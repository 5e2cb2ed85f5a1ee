import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many brand kits',
	description: "List the workspace's brand kits",
	request: 'GET /v3/brand-kits',
	list: { pageSize: apiLimits['GET /v3/brand-kits'].limit.max },
	simple: ['name', 'status', 'colors'],
});
