/** Lookups of many statuses at once (docs/service.md, Conventions). */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { createServiceError } from '../core/errors/nodeErrors';
import type { Field } from '../core/form/field';
import { trimTexts, readObjects } from '../core/json';
import type { ExecuteContext } from '../core/operation';

/** Most ids of one lookup, those of jobs and of batches together (docs/service.md, Limits). */
const maxLookupIds = 100;

/** Several ids: a list from an expression, or one text with commas. */
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

/** An entry with its id under its own name too: lookups and batches call all ids `video_id`. */
export const addTypedId = (entry: IDataObject, id: string): IDataObject =>
	typeof entry.video_id === 'string' ? { [id]: entry.video_id, ...entry } : entry;

/** The ids that one item asks for. */
interface LookupIds {
	ids: readonly string[];
	batches: readonly string[];
}

/**
 * The entries of one lookup that answer an item: one for each of its ids, then those of its
 * batches. An id of which the lookup says nothing keeps its row, without a status.
 */
export function selectEntries(
	rows: readonly IDataObject[],
	{ ids, batches }: LookupIds,
): IDataObject[] {
	const ofIds = ids.map((id) => {
		const own = rows.filter(({ video_id }) => video_id === id);
		// What was asked for as part of a batch, too, has an entry there.
		return own.find(({ batch_id }) => typeof batch_id !== 'string') ?? own[0] ?? { video_id: id };
	});
	const ofBatches = rows.filter(({ batch_id }) => batches.includes(String(batch_id)));
	return [...ofIds, ...ofBatches.filter((row) => !ofIds.includes(row))];
}

/**
 * What lookups of statuses share: the ids of many items go into one request, and each entry comes
 * back with the item that asked for it.
 *
 * @param what is looked up, such as `Video`
 * @param id the name of the id of one
 * @param examples of ids
 */
export const defineStatusLookup = (what: string, id: string, examples: string) => {
	const field = `${id}s`;
	const asked = (values: IDataObject): LookupIds => ({
		ids: (values[field] ?? []) as string[],
		batches: (values.batch_ids ?? []) as string[],
	});
	const countOf = (values: IDataObject) => asked(values).ids.length + asked(values).batches.length;
	const joined = (name: string, ids: readonly string[]) =>
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
			const count = countOf(values);
			return [
				count === 0 && `"${what} IDs" or "Batch IDs" is required`,
				count > maxLookupIds &&
					`"${what} IDs" and "Batch IDs" must have at most ${maxLookupIds} IDs in total, but have ${count}`,
			];
		},
		combine: {
			maxSize: maxLookupIds,
			getSize: countOf,
			query: (all: ReadonlyArray<{ values: IDataObject }>) => {
				const each = all.map(({ values }) => asked(values));
				const ids = each.flatMap((one) => one.ids);
				const batches = each.flatMap((one) => one.batches);
				return { ...joined(field, ids), ...joined('batch_ids', batches) };
			},
		},
		execute: async ({
			client,
			combinedItems: gathered,
			send,
		}: ExecuteContext): Promise<INodeExecutionData[]> => {
			const data: unknown = await send();
			if (!Array.isArray(data))
				throw createServiceError(client.node, { code: 'odd_list', status: 200 });
			const rows = readObjects(data);
			return gathered.flatMap(({ item, values }) =>
				selectEntries(rows, asked(values)).map((entry) => ({
					json: addTypedId(entry, id),
					pairedItem: { item },
				})),
			);
		},
	};
};
