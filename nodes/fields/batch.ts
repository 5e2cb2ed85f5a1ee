/** Fields of batches, whatever they are made of. */
import { z } from 'zod';
import type { Field } from '../core/field';

export const batchTitle = {
	displayName: 'Batch Title',
	name: 'batch_title',
	type: 'string',
	default: '',
	description: 'A title for the whole batch; taken from the first item',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

export const batchId = {
	displayName: 'Batch ID',
	name: 'batch_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.batch_id }}',
	description: 'The batch_id that Create Batch gave',
	schema: z.string().min(1),
} as const satisfies Field;
