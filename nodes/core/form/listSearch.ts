/** Creates list searches for From List, which read the pages of a list endpoint. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { createClient } from '../http/client';
import { readText } from '../json';
import type { ListSearch } from './field';

/** List endpoint of the service, and how From List shows its rows. */
export interface ListEndpoint {
	/** Request line of the list endpoint. */
	line: string;
	/** Queries of several lists shown one after another, such as private voices, then public ones. */
	queries?: readonly IDataObject[];
	/** Maximum number of rows per page of the endpoint. The default is 100. */
	pageSize?: number;
	/** Query parameter that filters in the service. Without it, the node filters the entries. */
	filter?: string;
	entry: (row: IDataObject) => INodeListSearchItems;
}

/** Maximum number of pages that one search reads while no entry matches the filter. */
const maxPagesPerSearch = 20;

/** Pagination token for the editor: the index of the list, and the service's cursor in it. */
const searchToken = {
	write: (list: number, cursor?: string) => `${list} ${cursor ?? ''}`,
	read: (token = '0 ') => {
		const cut = token.indexOf(' ');
		return { list: Number(token.slice(0, cut)), cursor: token.slice(cut + 1) || undefined };
	},
};

/** Returns the entries whose name or value contains the search text, ignoring case. */
export function filterEntries(entries: readonly INodeListSearchItems[], filter = '') {
	const search = filter.trim().toLowerCase();
	return entries.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(search));
}

/** Creates the list search of a list endpoint. */
export function createListSearch(source: ListEndpoint): ListSearch {
	const { line, queries = [{}], pageSize = 100, filter: filterParameter } = source;
	return async function search(this: ILoadOptionsFunctions, filter, paginationToken) {
		const client = await createClient(this);
		const trimmedFilter = filter?.trim() ?? '';
		const isFilteredByService = filterParameter !== undefined && trimmedFilter !== '';
		const filterQuery = isFilteredByService ? { [filterParameter]: trimmedFilter } : {};
		const start = searchToken.read(paginationToken);
		let pagesWithoutResults = 0;
		for (let list = start.list; list < queries.length; list++) {
			const query = { ...queries[list], ...filterQuery };
			const cursor = list === start.list ? start.cursor : undefined;
			for await (const page of client.fetchPages({ line, query }, pageSize, cursor)) {
				const entries = page.rows.map(source.entry);
				const results = isFilteredByService ? entries : filterEntries(entries, trimmedFilter);
				if (results.length === 0 && ++pagesWithoutResults < maxPagesPerSearch) continue;
				if (page.next !== undefined) {
					return { results, paginationToken: searchToken.write(list, page.next) };
				}
				const hasNextList = list + 1 < queries.length;
				return { results, paginationToken: hasNextList ? searchToken.write(list + 1) : undefined };
			}
		}
		return { results: [] };
	};
}

/** Turns a constant of the service into a label: `digital_twin` becomes "Digital twin". */
export function toLabel(value: unknown): string | undefined {
	const label = readText(value)?.replace(/_/g, ' ').toLowerCase();
	return label && label[0]?.toUpperCase() + label.slice(1);
}

/** Creates a list entry. Its name is followed by further details in parentheses. */
export function createListItem(
	value: unknown,
	name: unknown,
	details: readonly unknown[] = [],
	url?: unknown,
): INodeListSearchItems {
	const shown = details.map(readText).filter((detail) => detail !== undefined);
	const label = readText(name) ?? String(value);
	return {
		name: shown.length > 0 ? `${label} (${shown.join(', ')})` : label,
		value: String(value),
		url: readText(url),
	};
}
