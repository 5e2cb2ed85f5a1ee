/** Lookups of many statuses at once (docs/service.md, Conventions). */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../core/form/field';

/** Most ids of one lookup, those of jobs and of batches together (docs/service.md, Limits). */
const mostIds = 100;

/** Several ids: a list from an expression, or one text with commas. */
export const idList = z.preprocess(
	(value) =>
		typeof value === 'string'
			? value
					.split(',')
					.map((part) => part.trim())
					.filter((part) => part !== '')
			: value,
	z.array(z.string().min(1)).max(mostIds),
);

export const batchIds = {
	displayName: 'Batch IDs',
	name: 'batch_ids',
	type: 'string',
	default: '',
	placeholder: 'e.g. batch_1, batch_2',
	description:
		'Batches whose items to look up: IDs with commas between them, or a list; at most 100 IDs in total',
	schema: idList,
} as const satisfies Field;

/** What is wrong with the ids of one lookup. */
export function checkIds(
	name: string,
	ids: readonly string[] = [],
	batches: readonly string[] = [],
) {
	const count = ids.length + batches.length;
	return [
		count === 0 && `"${name}" or "Batch IDs" is required`,
		count > mostIds &&
			`"${name}" and "Batch IDs" must have at most ${mostIds} IDs in total, but have ${count}`,
	];
}

/** An entry with its id under its own name too: lookups and batches call all ids `video_id`. */
export const named = (entry: IDataObject, id: string): IDataObject =>
	typeof entry.video_id === 'string' ? { [id]: entry.video_id, ...entry } : entry;

/** What lookups of statuses share, by the name of the ids that they look up. */
export const statusesOf = (id: string) => ({
	reshapeItems: (items: INodeExecutionData[]) =>
		items.map((item) => ({ ...item, json: named(item.json, id) })),
});
