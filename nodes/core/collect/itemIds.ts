/** The IDs that items carry, each under one name in all nodes. */
import type { INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../json';
import { getItemIdKey } from '../operationTraits';
import type { ItemPlan } from '../plan/groupRequests';

/** The key under which the items of a plan carry their ID. */
export const getIdKey = ({ resource, operation }: ItemPlan) => getItemIdKey(resource, operation);

/**
 * Adds the item's ID under the key that every node uses for it, whatever the service calls it in
 * this reply: its own `id`, that of the started job, or the ID that the item asked for.
 */
export function addId(
	item: INodeExecutionData,
	key: string | undefined,
	{ values }: Pick<ItemPlan, 'values'>,
): INodeExecutionData {
	const { json } = item;
	if (key === undefined || json[key] !== undefined) return item;
	const job = isObject(json.job) ? json.job.id : undefined;
	const id = json.id ?? job ?? values[key];
	return typeof id === 'string' ? { ...item, json: { [key]: id, ...json } } : item;
}
