import { otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { buildGetStatusesOperationBase } from '../../fields/statuses';

export const getStatuses = defineOperation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get upload statuses',
	description: `Get the statuses of up to ${otherLimits.lookupIds} uploads or batches in one request, with one output item per upload`,
	request: 'GET /v3/assets/statuses',
	returns: ['status', 'error'],
	...buildGetStatusesOperationBase('Asset', 'asset_id', 'asset_90ab, asset_17cd'),
});
