/**
 * Defines what all Get Statuses operations share. These operations get the statuses of many jobs in
 * one request (service.md, Conventions).
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { otherLimits } from '../apiLimits';
import { createServiceError } from '../core/errors/nodeErrors';
import { parseJsonList } from '../core/form/readParameters';
import type { Field } from '../core/form/field';
import { readId, readObjects, toNonEmptyStrings, toText } from '../core/json';
import type { ExecuteContext } from '../core/operation';
import { idSchema } from '../core/form/validation';

/** Maximum number of IDs in one status request, counting job IDs and batch IDs together. */
const maxLookupIds = otherLimits.lookupIds;

/**
 * Maximum number of IDs to parse from text, which limits the time spent on very long text. The
 * service accepts far fewer IDs per request.
 */
const maxReadIds = 10_000;

const idList = z.preprocess(
	(value) =>
		typeof value === 'string'
			? (parseJsonList(value) ?? toNonEmptyStrings(value.split(',', maxReadIds)))
			: value,
	z.array(z.preprocess((id) => readId(id) ?? id, idSchema)).max(maxLookupIds),
);

const batchIds = {
	displayName: 'Batch IDs',
	name: 'batch_ids',
	type: 'string',
	default: '',
	placeholder: 'e.g. batch_1, batch_2',
	description: `Batches whose items you want to look up. Enter IDs separated by commas, or a list of IDs. At most ${maxLookupIds} IDs are allowed in total.`,
	schema: idList,
} as const satisfies Field;

/**
 * Copies a job's ID from `video_id` to the key that other responses use for its kind, such as
 * `lipsync_id`. In batches and in responses with many statuses, the service uses `video_id` for
 * every kind of job.
 */
export const copyVideoIdToJobIdKey = (entry: IDataObject, id: string): IDataObject =>
	readId(entry.video_id) !== undefined ? { [id]: entry.video_id, ...entry } : entry;

/** IDs of the jobs and batches whose statuses an input item requests. */
interface LookupIds {
	ids: readonly string[];
	batches: readonly string[];
}

/**
 * Selects the rows for one input item from a response with the statuses of many jobs. Returns one
 * row per job ID, then the rows of the item's batches. For a job that the service did not find, the
 * row has no status.
 */
export function selectStatusRowsOfItem(
	rows: readonly IDataObject[],
	{ ids, batches }: LookupIds,
): IDataObject[] {
	const ofIds = ids.map((id) => {
		const matching = rows.filter(({ video_id }) => readId(video_id) === id);
		// If a job and its batch are both requested, the response may contain the job twice.
		const single = matching.find(({ batch_id }) => typeof batch_id !== 'string');
		return single ?? matching[0] ?? { video_id: id };
	});
	const ofBatches = rows.filter(({ batch_id }) => batches.includes(toText(batch_id)));
	return [...ofIds, ...ofBatches.filter((row) => !ofIds.includes(row))];
}

/**
 * Returns the settings of a Get Statuses operation, which gets the statuses for many input items in
 * one request and pairs each result with its input item.
 *
 * @param what noun for the field labels, such as `Video`
 * @param id key of the ID in the results, such as `video_id`
 * @param examples example IDs for the placeholder of the field
 */
export const buildGetStatusesOperationBase = (what: string, id: string, examples: string) => {
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
				description: `${what}s to look up. Enter IDs separated by commas, or a list of IDs. At most ${maxLookupIds} IDs are allowed in total.`,
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
				selectStatusRowsOfItem(rows, readIds(values)).map((entry) => ({
					json: copyVideoIdToJobIdKey(entry, id),
					pairedItem: { item },
				})),
			);
		},
	};
};
