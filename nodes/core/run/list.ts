/** Operations that list: each row becomes an item. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Call } from '../http/call';
import type { Client } from '../http/client';
import { asItems } from './outcome';
import type { Task } from './plan';

/** The rows of a list: those of its one answer, or page by page up to the limit. */
export async function listItems(
	client: Client,
	call: Call,
	{ operation, values }: Task,
): Promise<INodeExecutionData[]> {
	const { list } = operation;
	if (typeof list !== 'object') return asItems(await client.rows(call));
	const limit = values.returnAll === true ? Infinity : Number(values.limit ?? 50);
	const rows: IDataObject[] = [];
	for await (const page of client.pages(call, Math.min(list.pageSize, limit))) {
		rows.push(...page.rows);
		if (rows.length >= limit) break;
	}
	return asItems(rows.slice(0, limit));
}
