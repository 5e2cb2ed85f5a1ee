import { otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { buildGetStatusesOperationBase } from '../../fields/statuses';

export const getStatuses = defineOperation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get video statuses',
	description: `Get the statuses of up to ${otherLimits.lookupIds} videos or batches in one request and return one item per video`,
	request: 'GET /v3/videos/statuses',
	returns: ['status', 'error'],
	...buildGetStatusesOperationBase('Video', 'video_id', 'video_1, video_2'),
});
