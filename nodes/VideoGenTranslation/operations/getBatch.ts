import { operation } from '../../core/operation';
import { batchId } from '../../fields/batch';

export const getBatch = operation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get a batch of translations',
	description: 'Read the status of a batch and the outcome of each of its translations',
	request: 'GET /v3/video-translations/batches/{batch_id}',
	fields: [batchId],
	// A batch holds at most 100 translations: one page of the largest size has them all.
	query: () => ({ limit: 100 }),
});
