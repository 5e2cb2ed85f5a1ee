import { operation } from '../../core/operation';
import { batchId, defineGetBatch } from '../../fields/batch';
import { lipsyncBatchJob } from '../../jobs/catalog';

export const getBatch = operation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get a batch of lipsyncs',
	description: 'Read the status of a batch and the outcome of each of its lipsyncs',
	request: 'GET /v3/lipsyncs/batches/{batch_id}',
	fields: [batchId],
	...defineGetBatch(lipsyncBatchJob, 'lipsync_id'),
});
