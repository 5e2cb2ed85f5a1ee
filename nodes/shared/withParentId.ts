import type { INodeExecutionData } from 'n8n-workflow';

/**
 * Creates a function that adds the parent resource's ID to output items, such as the session ID to
 * a session's videos. The next node needs the ID, but the response does not contain it, so the
 * function takes the ID from the form.
 *
 * @param id name of the form field that contains the parent ID
 */
export const withParentId =
	(id: string) =>
	(items: INodeExecutionData[], values: Record<string, unknown>): INodeExecutionData[] =>
		items.map((item) =>
			// n8n recognizes error items by their keys, so no key may be added to them.
			typeof item.json.error === 'string'
				? item
				: { ...item, json: { [id]: String(values[id]), ...item.json } },
		);
