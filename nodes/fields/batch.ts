/**
 * Defines what all batch operations have in common: their form fields, and the operation that gets
 * a batch.
 */
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { readAllBatchEntries } from '../core/jobs/readJobs';
import type { JobKind } from '../core/jobs/types';
import { omitKeys, readObjects } from '../core/json';
import type { ExecuteContext, Operation } from '../core/operation';
import { callbackUrlField } from './callback';
import { copyVideoIdToJobIdKey } from './statuses';

export const batchTitleField = {
	displayName: 'Batch Title',
	name: 'batch_title',
	type: 'string',
	default: '',
	description:
		'Title of the whole batch, taken from the first item. The title is not used if Pay Once Per is Unique Request or Custom Key.',
	in: 'local',
} as const satisfies Field;

export const batchCallbackUrlField = {
	...callbackUrlField,
	description:
		'A public URL that the service calls once when the whole batch has ended. Items with a different URL go into a separate batch. If Pay Once Per is Unique Request or Custom Key, the service calls the URL for each row.',
	in: 'local',
} as const satisfies Field;

export const batchRowSourceField = {
	displayName: 'Specify Items',
	name: 'itemIs',
	type: 'options',
	options: [
		{
			name: 'Using JSON',
			value: 'json',
			description: 'One batch entry, in API format',
		},
		{
			name: 'Using Fields Below',
			value: 'form',
			description: 'The form below, evaluated for each item',
		},
	],
	default: 'form',
	description: 'Source of each batch entry',
	schema: z.enum(['form', 'json']),
	in: 'local',
} as const satisfies Field;

/**
 * Returns a copy of a form field that is shown only if the user has selected one of the given
 * formats for the rows of a batch. By default, the field is shown only for the format `form`.
 */
export const showFieldForBatchRowFormats = <const F extends Field>(
	field: F,
	...forms: string[]
) => ({
	...field,
	displayOptions: {
		show: { itemIs: forms.length > 0 ? forms : ['form'], ...field.displayOptions?.show },
	},
});

/**
 * Returns the properties of a batch request that apply to the whole batch: its title and callback
 * URL. Both are taken from the first item.
 */
export function buildBatchTitleAndCallbackUrl(
	all: ReadonlyArray<{ values: { batch_title?: string; callback_url?: string } }>,
) {
	const { batch_title: title, callback_url } = all[0]?.values ?? {};
	return { title, callback_url };
}

/**
 * Returns a copy of a batch operation that can also create a single row in a separate request. A
 * row's entry in the batch request is also a valid body for that separate request.
 *
 * @param single properties that differ from the batch operation, such as the endpoint and the kind
 * of job
 */
export function addRowOperation(
	batch: Operation,
	single: Pick<Operation, 'request' | 'starts'> & Partial<Operation>,
): Operation {
	const { combine, ...common } = batch;
	const { list = '', body } = combine ?? {};
	const rowOperation: Operation = {
		...common,
		...single,
		isSingleRow: true,
		body: (item) => {
			const { [list]: entries, ...shared } = body?.([item]) ?? {};
			return { ...omitKeys(shared, 'title'), ...readObjects(entries)[0] };
		},
	};
	return { ...batch, rowOperation };
}

export const batchIdField = {
	displayName: 'Batch ID',
	name: 'batch_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.batch_id }}',
	description: 'The batch_id returned by Create Batch',
} as const satisfies Field;

/**
 * Returns the settings of a Get Batch operation, which outputs a batch with all of its rows, even
 * if they span several pages.
 *
 * @param id key under which each row's `video_id` is repeated, such as `lipsync_id`
 */
export const defineGetBatch = (kind: JobKind, id: string) => ({
	query: () => ({ ...kind.query }),
	itemId: kind.id,
	execute: async ({ client, send, values }: ExecuteContext & { values: { batch_id: string } }) => {
		const batch = { kind, id: values.batch_id };
		const data = await readAllBatchEntries(client, batch, await send());
		if (!Array.isArray(data.items)) return [{ json: data }];
		const items = readObjects(data.items).map((entry) => copyVideoIdToJobIdKey(entry, id));
		return [{ json: { ...data, items } }];
	},
});
