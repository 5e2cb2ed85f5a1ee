import { operation } from '../../core/operation';
import { defineStatusLookup } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get statuses of lipsyncs',
	description: 'Get the statuses of many lipsyncs and batches at once',
	request: 'GET /v3/lipsyncs/statuses',
	...defineStatusLookup('Lipsync', 'lipsync_id', 'lipsync_1, lipsync_2'),
});
