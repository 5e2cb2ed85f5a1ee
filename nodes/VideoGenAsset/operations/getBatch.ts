import { defineOperation } from '../../core/operation';
import { batchIdField, defineGetBatch } from '../../fields/batch';
import { assetBatchJob } from '../../jobKinds/catalog';

export const getBatch = defineOperation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get files in upload batch',
	description: 'Get the status of an upload batch and the outcome for each file',
	request: 'GET /v3/assets/batches/{batch_id}',
	returns: ['status', 'counts_by_status', 'items'],
	fields: [
		{ ...batchIdField, description: 'The batch_id returned by the "Upload Batch" operation' },
	],
	...defineGetBatch(assetBatchJob, 'asset_id'),
});
