import { defineOperation } from '../../core/operation';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many lipsyncs',
	description: 'List lipsyncs',
	request: 'GET /v3/lipsyncs',
	list: { pageSize: 100, dated: true },
	simple: ['status', 'title', 'duration', 'created_at', 'failure_message'],
});
