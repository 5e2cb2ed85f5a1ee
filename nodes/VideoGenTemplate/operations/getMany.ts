import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many templates',
	description: 'List the templates that have variables',
	request: 'GET /v3/templates',
	list: { pageSize: 100 },
	simple: ['name', 'aspect_ratio', 'created_at', 'updated_at'],
});
