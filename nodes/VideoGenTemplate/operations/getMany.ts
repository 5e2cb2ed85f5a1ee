import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many templates',
	description: 'List the templates that have variables',
	request: 'GET /v3/templates',
	list: { pageSize: apiLimits['GET /v3/templates'].limit.max },
	simple: ['name', 'aspect_ratio', 'created_at', 'updated_at'],
});
