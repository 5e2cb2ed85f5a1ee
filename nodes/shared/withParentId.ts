import type { INodeExecutionData } from 'n8n-workflow';

/**
 * Adds the id of their parent, from the form, to the items of a result. The response does not contain
 * it, and the next node needs it.
 *
 * @param id name of the field with the id
 */
export const withParentId =
	(id: string) =>
	(items: INodeExecutionData[], values: Record<string, unknown>): INodeExecutionData[] =>
		items.map((item) =>
			// n8n recognizes error items by their keys, so they must not get another one.
			typeof item.json.error === 'string'
				? item
				: { ...item, json: { [id]: String(values[id]), ...item.json } },
		);
