/**
 * Form fields and behavior of the Get Statuses operations, which read many statuses in one request
 * (docs/service.md, Conventions).
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { createServiceError } from '../core/errors/nodeErrors';
import type { Field } from '../core/form/field';
import { trimTexts, readObjects } from '../core/json';
import type { ExecuteContext } from '../core/operation';

/**
 * Maximum number of IDs in one status lookup, those of jobs and batches together (docs/service.md,
 * Limits).
 */
const maxLookupIds = 100;

/** Schema for several IDs: a list from an expression, or a text with commas. */
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
		'Batches whose items to look up: IDs separated by commas, or a list; at most 100 IDs in total',
	schema: idList,
} as const satisfies Field;

/**
 * Adds the ID of an entry under its usual key, such as `lipsync_id`: lookups and batches call every
 * ID `video_id`.
 */
export const addTypedId = (entry: IDataObject, id: string): IDataObject =>
	typeof entry.video_id === 'string' ? { [id]: entry.video_id, ...entry } : entry;

/** The IDs of jobs and batches to look up for one item. */
interface LookupIds {
	ids: readonly string[];
	batches: readonly string[];
}

/**
 * Selects the entries of a status lookup that belong to an item: one for each of its IDs, then
 * those of its batches. For an ID that the lookup did not find, the entry has no status.
 */
export function selectEntries(
	rows: readonly IDataObject[],
	{ ids, batches }: LookupIds,
): IDataObject[] {
	const ofIds = ids.map((id) => {
		const matching = rows.filter(({ video_id }) => video_id === id);
		// If the batch of a job is looked up too, the job may have a second entry from the batch.
		const single = matching.find(({ batch_id }) => typeof batch_id !== 'string');
		return single ?? matching[0] ?? { video_id: id };
	});
	const ofBatches = rows.filter(({ batch_id }) => batches.includes(String(batch_id)));
	return [...ofIds, ...ofBatches.filter((row) => !ofIds.includes(row))];
}

/**
 * Defines what all Get Statuses operations share. One request contains the IDs of many items, and
 * each entry is paired with its item.
 *
 * @param what noun for the field labels, such as `Video`
 * @param id key of the ID, such as `video_id`
 * @param examples example IDs for the placeholder of the field
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
				description: `${what}s to look up: IDs separated by commas, or a list; at most 100 IDs in total`,
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
