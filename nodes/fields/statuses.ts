/** Get Statuses operations: many statuses in one request (docs/service.md, Conventions). */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { createServiceError } from '../core/errors/nodeErrors';
import type { Field } from '../core/form/field';
import { trimTexts, readObjects } from '../core/json';
import type { ExecuteContext } from '../core/operation';

/** Most IDs of one lookup, those of jobs and of batches together (docs/service.md, Limits). */
const maxLookupIds = 100;

/** Several IDs: a list from an expression, or a text with commas. */
const idList = z.preprocess(
	(value) => (typeof value === 'string' ? trimTexts(value.split(',')) : value),
	z.array(z.string().min(1)).max(maxLookupIds),
);

const batchIds = {
	displayName: 'Batch IDs',
	name: 'batch_ids',
	type: 'string',
	default: '',
	placeholder: 'e.g. batch_1, batch_2',
	description:
		'Batches whose items to look up: IDs with commas between them, or a list; at most 100 IDs in total',
	schema: idList,
} as const satisfies Field;

/** The entry with its ID under its usual key, too: lookups and batches call every ID `video_id`. */
export const addTypedId = (entry: IDataObject, id: string): IDataObject =>
	typeof entry.video_id === 'string' ? { [id]: entry.video_id, ...entry } : entry;

/** The IDs in the form of one item. */
interface LookupIds {
	ids: readonly string[];
	batches: readonly string[];
}

/**
 * The entries of a lookup that belong to an item: one for each of its IDs, then those of its
 * batches. An ID without an entry keeps its row, without a status.
 */
export function selectEntries(
	rows: readonly IDataObject[],
	{ ids, batches }: LookupIds,
): IDataObject[] {
	const ofIds = ids.map((id) => {
		const matching = rows.filter(({ video_id }) => video_id === id);
		// A job whose batch is looked up, too, may have an entry in that batch.
		const single = matching.find(({ batch_id }) => typeof batch_id !== 'string');
		return single ?? matching[0] ?? { video_id: id };
	});
	const ofBatches = rows.filter(({ batch_id }) => batches.includes(String(batch_id)));
	return [...ofIds, ...ofBatches.filter((row) => !ofIds.includes(row))];
}

/**
 * What all Get Statuses operations share. The IDs of many items go into one request, and each entry
 * comes back with its item.
 *
 * @param what such as `Video`
 * @param id key of the ID, such as `video_id`
 * @param examples placeholder of the field
 */
export const defineStatusLookup = (what: string, id: string, examples: string) => {
	const field = `${id}s`;
	const readIds = (values: IDataObject): LookupIds => ({
		ids: (values[field] ?? []) as string[],
		batches: (values.batch_ids ?? []) as string[],
	});
	const countIds = (values: IDataObject) => {
		const { ids, batches } = readIds(values);
		return ids.length + batches.length;
	};
	const joinIds = (name: string, ids: readonly string[]) =>
		ids.length === 0 ? {} : { [name]: [...new Set(ids)].join(',') };
	return {
		fields: [
			{
				displayName: `${what} IDs`,
				name: field,
				type: 'string',
				default: '',
				placeholder: `e.g. ${examples}`,
				description: `${what}s to look up: IDs with commas between them, or a list; at most 100 IDs in total`,
				schema: idList,
			},
			batchIds,
		] satisfies Field[],
		check: (values: IDataObject) => {
			const count = countIds(values);
			return [
				count === 0 && `"${what} IDs" or "Batch IDs" is required`,
				count > maxLookupIds &&
					`"${what} IDs" and "Batch IDs" must have at most ${maxLookupIds} IDs in total, but have ${count}`,
			];
		},
		combine: {
			maxSize: maxLookupIds,
			getSize: countIds,
			query: (all: ReadonlyArray<{ values: IDataObject }>) => {
				const each = all.map(({ values }) => readIds(values));
				const ids = each.flatMap((one) => one.ids);
				const batches = each.flatMap((one) => one.batches);
				return { ...joinIds(field, ids), ...joinIds('batch_ids', batches) };
			},
		},
		execute: async ({
			client,
			combinedItems,
			send,
		}: ExecuteContext): Promise<INodeExecutionData[]> => {
			const data: unknown = await send();
			if (!Array.isArray(data))
				throw createServiceError(client.node, { code: 'odd_list', status: 200 });
			const rows = readObjects(data);
			return combinedItems.flatMap(({ item, values }) =>
				selectEntries(rows, readIds(values)).map((entry) => ({
					json: addTypedId(entry, id),
					pairedItem: { item },
				})),
			);
		},
	};
};
