import type { INodeExecutionData } from 'n8n-workflow';

/**
 * Items with the id of what they belong to, as the form gave it: the reply does not name it, and
 * the next node wants it.
 */
export const withParentId =
	(id: string) =>
	(items: INodeExecutionData[], values: Record<string, unknown>): INodeExecutionData[] =>
		items.map((item) =>
			// n8n knows the item of an error by its keys: this one holds a text.
			typeof item.json.error === 'string'
				? item
				: { ...item, json: { [id]: String(values[id]), ...item.json } },
		);
