/** Lists behind From List, filled page by page from a list endpoint. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { createClient } from '../http/client';
import { readText } from '../json';
import type { ListSearch } from './field';

export interface ListEndpoint {
	/** Request line of the list endpoint. */
	line: string;
	/** One list after the other, such as the account's own voices and then the public ones. */
	queries?: readonly IDataObject[];
	/** The endpoint's largest page; 100 by default. */
	pageSize?: number;
	/** Query parameter that filters at the service; without it the filter is applied here. */
	filter?: string;
	entry: (row: IDataObject) => INodeListSearchItems;
}

/** Pages that one look at the list may read while the filter finds nothing. */
const maxPagesPerSearch = 20;

/** The place in a list of lists: which list, and the service's own cursor in it. */
const searchToken = {
	write: (list: number, cursor?: string) => `${list} ${cursor ?? ''}`,
	read: (token = '0 ') => {
		const cut = token.indexOf(' ');
		return { list: Number(token.slice(0, cut)), cursor: token.slice(cut + 1) || undefined };
	},
};

/** The entries that hold these words. */
export function filterEntries(entries: readonly INodeListSearchItems[], words = '') {
	const wanted = words.trim().toLowerCase();
	return entries.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
}

/** A list search over a list endpoint. The filter looks at names, values and descriptions. */
export function createListSearch(source: ListEndpoint): ListSearch {
	const { line, queries = [{}], pageSize = 100, filter: key } = source;
	return async function search(this: ILoadOptionsFunctions, filter, paginationToken) {
		const client = await createClient(this);
		const words = filter?.trim() ?? '';
		const byService = key !== undefined && words !== '';
		const start = searchToken.read(paginationToken);
		let pages = 0;
		for (let list = start.list; list < queries.length; list++) {
			const query = { ...queries[list], ...(byService ? { [key]: words } : {}) };
			const cursor = list === start.list ? start.cursor : undefined;
			for await (const page of client.fetchPages({ line, query }, pageSize, cursor)) {
				const entries = page.rows.map(source.entry);
				const results = byService ? entries : filterEntries(entries, words);
				if (results.length === 0 && ++pages < maxPagesPerSearch) continue;
				if (page.next !== undefined) {
					return { results, paginationToken: searchToken.write(list, page.next) };
				}
				const more = list + 1 < queries.length;
				return { results, paginationToken: more ? searchToken.write(list + 1) : undefined };
			}
		}
		return { results: [] };
	};
}

/** Words of the service as people write them: `digital_twin` is "Digital twin". */
export function toLabel(value: unknown): string | undefined {
	const words = readText(value)?.replace(/_/g, ' ').toLowerCase();
	return words && words[0]?.toUpperCase() + words.slice(1);
}

/** A list entry: the name, with further facts behind it. */
export function createListItem(
	value: unknown,
	name: unknown,
	further: readonly unknown[] = [],
	url?: unknown,
): INodeListSearchItems {
	const facts = further.map(readText).filter((fact) => fact !== undefined);
	const label = readText(name) ?? String(value);
	return {
		name: facts.length > 0 ? `${label} (${facts.join(', ')})` : label,
		value: String(value),
		url: readText(url),
	};
}
