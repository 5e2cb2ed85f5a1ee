import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many sessions',
	description: 'List sessions, newest first',
	request: 'GET /v3/video-agents',
	list: { pageSize: 100, dated: true },
	simple: ['title', 'created_at'],
});
