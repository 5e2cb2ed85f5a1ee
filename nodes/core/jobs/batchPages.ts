/** Readings of jobs whose entries come in pages: a batch. */
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../http/client';
import { readObjects, readText } from '../json';
import type { Job } from './state';

/**
 * A reading with all its entries. The service may give only the first of them, with the cursor of
 * the others inside of the reading (docs/service.md, Resources).
 */
export async function readAllEntries(
	client: Client,
	{ kind: job, id }: Job,
	data: IDataObject,
): Promise<IDataObject> {
	if (data.has_more !== true) return data;
	const items = readObjects(data.items);
	const seen = new Set<string>();
	for (let page = data; page.has_more === true;) {
		const token = readText(page.next_token);
		// A cursor that comes back would make an endless list.
		if (token === undefined || seen.has(token)) break;
		seen.add(token);
		const query = { ...job.query, token };
		page = await client.fetchData({ line: job.read, path: { [job.id]: id }, query });
		items.push(...readObjects(page.items));
	}
	return { ...data, items, has_more: false, next_token: null };
}
