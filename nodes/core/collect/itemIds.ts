/** Ensures that all nodes output the same kind of ID under the same key, such as `video_id`. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject, readId } from '../json';
import type { ItemOperation } from '../plan/groupRequests';

/**
 * Copies an output item's ID to the key that all nodes use for it, such as `video_id`. Takes the ID
 * from the response's `id`, from the started job, or from the values that the request contained.
 */
export function copyIdToSpecificKey(
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
