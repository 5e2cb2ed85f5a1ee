import { otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { buildGetStatusesOperationBase } from '../../fields/statuses';

export const getStatuses = defineOperation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get lipsync statuses',
	description: `Get the statuses of up to ${otherLimits.lookupIds} lipsyncs or batches in one request, with one output item per lipsync`,
	request: 'GET /v3/lipsyncs/statuses',
	returns: ['status', 'error'],
	...buildGetStatusesOperationBase('Lipsync', 'lipsync_id', 'lipsync_1, lipsync_2'),
});
