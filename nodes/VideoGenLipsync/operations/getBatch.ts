import { defineOperation } from '../../core/operation';
import { batchIdField, defineGetBatch } from '../../fields/batch';
import { lipsyncBatchJob } from '../../jobKinds/catalog';

export const getBatch = defineOperation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get lipsync batch',
	description: 'Get the status of a batch and the outcome for each lipsync',
	request: 'GET /v3/lipsyncs/batches/{batch_id}',
	returns: ['status', 'counts_by_status', 'items'],
	fields: [batchIdField],
	...defineGetBatch(lipsyncBatchJob, 'lipsync_id'),
});
