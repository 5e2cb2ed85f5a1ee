import { z } from 'zod';
import { operation } from '../../core/operation';

export const getBatch = operation({
	value: 'getBatch',
	name: 'Get Batch',
	action: 'Get a batch of uploads',
	description: 'Read the status of a batch of uploads and the outcome of each of its files',
	request: 'GET /v3/assets/batches/{batch_id}',
	fields: [
		{
			displayName: 'Batch ID',
			name: 'batch_id',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.batch_id }}',
			description: 'The batch_id that Upload Batch gave',
			schema: z.string().min(1),
		},
	],
	// A batch holds at most 100 files: one page of the largest size has them all.
	query: () => ({ limit: 100 }),
});
