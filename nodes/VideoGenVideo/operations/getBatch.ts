import { defineOperation } from '../../core/operation';
import { batchIdField, defineGetBatch } from '../../fields/batch';
import { videoBatchJob } from '../../jobKinds/catalog';

export const getBatch = defineOperation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get video batch',
	description: 'Get the status of a batch and the outcome for each video',
	request: 'GET /v3/videos/batches/{batch_id}',
	returns: ['status', 'counts_by_status', 'items'],
	fields: [batchIdField],
	...defineGetBatch(videoBatchJob, 'video_id'),
});
