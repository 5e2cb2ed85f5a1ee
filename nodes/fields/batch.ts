/** Fields of batches, whatever they are made of. */
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { readAllEntries } from '../core/jobs/batchPages';
import type { JobKind } from '../core/jobs/state';
import { readObjects } from '../core/json';
import type { ExecuteContext } from '../core/operation';
import { callbackUrl } from './callback';
import { addTypedId } from './statuses';

export const batchTitle = {
	displayName: 'Batch Title',
	name: 'batch_title',
	type: 'string',
	default: '',
	description: 'A title for the whole batch; taken from the first item',
	in: 'local',
} as const satisfies Field;

/** A one-off callback of a batch. */
export const batchCallbackUrl = {
	...callbackUrl,
	description:
		'A public address that the service calls once, when the whole batch has ended; items with another address make another batch',
	in: 'local',
} as const satisfies Field;

/** Whether the items of a batch are made by the form, or are payloads already. */
export const batchItemFormat = {
	displayName: 'Each Item Is',
	name: 'itemIs',
	type: 'options',
	options: [
		{
			name: 'A JSON Payload',
			value: 'json',
			description: 'One entry of the batch as the API takes it',
		},
		{
			name: 'The Form Below',
			value: 'form',
			description: 'The form, filled anew for each item by expressions',
		},
	],
	default: 'form',
	description: 'What each incoming item is made into',
	schema: z.enum(['form', 'json']),
	in: 'local',
} as const satisfies Field;

/** A field that is shown only while the items of a batch are made by one of these forms. */
export const showForForm = <const F extends Field>(field: F, ...forms: string[]) => ({
	...field,
	displayOptions: {
		show: { itemIs: forms.length > 0 ? forms : ['form'], ...field.displayOptions?.show },
	},
});

/** What stands for a whole batch, from the first of its items. */
export function buildBatchHead(
	all: ReadonlyArray<{ values: { batch_title?: string; callback_url?: string } }>,
) {
	const { batch_title: title, callback_url } = all[0]?.values ?? {};
	return { title, callback_url };
}

export const batchId = {
	displayName: 'Batch ID',
	name: 'batch_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.batch_id }}',
	description: 'The batch_id that Create Batch gave',
} as const satisfies Field;

/** What readings of batches share, by the name of the ids of what is in them. */
export const defineGetBatch = (job: JobKind, id: string) => ({
	query: () => ({ ...job.query }),
	itemId: job.id,
	execute: async ({ client, send, values }: ExecuteContext & { values: { batch_id: string } }) => {
		const batch = { kind: job, id: values.batch_id };
		const data = await readAllEntries(client, batch, await send());
		if (!Array.isArray(data.items)) return [{ json: data }];
		const items = readObjects(data.items).map((entry) => addTypedId(entry, id));
		return [{ json: { ...data, items } }];
	},
});
