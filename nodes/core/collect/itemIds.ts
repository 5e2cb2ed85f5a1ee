/** Adds IDs to output items, under the same keys in all nodes. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject, readId } from '../json';
import { getItemIdKey } from '../operationTraits';
import type { ItemOperation } from '../plan/groupRequests';

/**
 * Returns the key under which the output items of an operation store their ID, or undefined if they
 * have none.
 */
export const getIdKey = ({ resource, operation }: ItemOperation) =>
	getItemIdKey(resource, operation);

/**
 * Adds the ID of an output item under the key that all nodes use for it. A response may contain the
 * ID as `id`, contain only the ID of the started job, or omit an ID that the request contained.
 */
export function addItemId(
	item: INodeExecutionData,
	key: string | undefined,
	{ values }: Pick<ItemOperation, 'values'>,
): INodeExecutionData {
	const { json } = item;
	if (key === undefined || json[key] !== undefined) return item;
	const job = isObject(json.job) ? json.job.id : undefined;
	const id = readId(json.id ?? job ?? values[key]);
	return id !== undefined ? { ...item, json: { [key]: id, ...json } } : item;
}

/** Removes `id` if a key such as `video_id`, which other nodes expect, has the same value. */
export function removeDuplicateId(json: IDataObject): IDataObject {
	const { id, ...rest } = json;
	const isDuplicate = Object.entries(rest).some(
		([key, value]) => key.endsWith('_id') && value === id,
	);
	return isDuplicate ? rest : json;
}
