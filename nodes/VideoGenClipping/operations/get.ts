import { defineOperation } from '../../core/operation';
import { clippingJobField, oneItemPerClipField } from '../clipping';
import { splitIntoClipItems } from '../../shared/clips';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get clips from long video',
	description: "Get a job's status, progress and clips, with fresh file URLs",
	request: 'GET /v3/ai-clipping/{job_id}',
	returns: ['status', 'progress', 'clips'],
	fields: [clippingJobField, oneItemPerClipField],
	reshapeItems: splitIntoClipItems,
});
