import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many brand kits',
	description: "List the workspace's brand kits",
	request: 'GET /v3/brand-kits',
	list: { pageSize: 100 },
	simple: ['name', 'status', 'colors'],
});
