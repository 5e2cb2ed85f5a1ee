/** Fields of batches, whatever they are made of. */
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { callbackUrl } from './callback';

export const batchTitle = {
	displayName: 'Batch Title',
	name: 'batch_title',
	type: 'string',
	default: '',
	description: 'A title for the whole batch; taken from the first item',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

/** A one-off callback of a batch. */
export const batchCallbackUrl = {
	...callbackUrl,
	description:
		'A public address that the service calls once, when the whole batch has ended; items with another address make another batch',
	in: 'local',
} as const satisfies Field;

/** What stands for a whole batch, from the first of its items. */
export function batchHead(
	all: ReadonlyArray<{ values: { batch_title?: string; callback_url?: string } }>,
) {
	const { batch_title: title, callback_url } = all[0]?.values ?? {};
	return {
		...(title === undefined ? {} : { title }),
		...(callback_url === undefined ? {} : { callback_url }),
	};
}

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
