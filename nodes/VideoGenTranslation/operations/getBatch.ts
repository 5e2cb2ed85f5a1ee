import { defineOperation } from '../../core/operation';
import { batchIdField, defineGetBatch } from '../../fields/batch';
import { translationBatchJob } from '../../jobKinds/catalog';

export const getBatch = defineOperation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get translation batch',
	description: 'Get the status of a batch and the outcome for each translation',
	request: 'GET /v3/video-translations/batches/{batch_id}',
	returns: ['status', 'counts_by_status', 'items'],
	fields: [batchIdField],
	...defineGetBatch(translationBatchJob, 'video_translation_id'),
});
