/**
 * Ensures that output items have their IDs under the same keys in all nodes, such as `video_id`.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject, readId } from '../json';
import type { ItemOperation } from '../plan/groupRequests';

/**
 * Adds an output item's ID under the key that all nodes use for it, such as `video_id`. The
 * response may contain the ID only as `id` or as the started job's ID, or omit it if the request
 * already contained it.
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

/**
 * Removes `id` from an item if a more specific key, such as `video_id`, contains the same value.
 */
export function removeDuplicateId(json: IDataObject): IDataObject {
	const { id, ...rest } = json;
	const isDuplicate = Object.entries(rest).some(
		([key, value]) => key.endsWith('_id') && value === id,
	);
	return isDuplicate ? rest : json;
}
