/**
 * Creates the functions that fill searchable dropdown lists, such as the list of voices, from the
 * list endpoints of the service.
 */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { createClient } from '../http/client';
import { readText, toText } from '../json';
import type { ListSearch } from './field';

/**
 * Endpoint that provides the entries for a dropdown list, and settings for how to display them.
 */
export interface ListEndpoint {
	/** Method and path of the list endpoint, such as `GET /v3/voices`. */
	line: string;
	/**
	 * Query parameters for each list that the dropdown shows, in display order. The voice dropdown,
	 * for example, shows private voices and then public ones.
	 */
	queries?: readonly IDataObject[];
	/** Maximum number of rows that the endpoint returns per page. Defaults to 100. */
	pageSize?: number;
	/**
	 * Name of the query parameter for the search text. If undefined, the service cannot search, and
	 * the node filters the rows itself.
	 */
	filter?: string;
	entry: (row: IDataObject) => INodeListSearchItems;
}

/** Maximum number of pages that a search call reads. It stops at the first page with a match. */
const maxPagesPerSearch = 20;

/**
 * Encodes and decodes the token that the editor sends to request more dropdown entries. The token
 * contains the index of a list and the service's cursor for the next page of that list.
 */
const searchToken = {
	write: (list: number, cursor?: string) => `${list} ${cursor ?? ''}`,
	read: (token = '0 ') => {
		const cut = token.indexOf(' ');
		return { list: Number(token.slice(0, cut)), cursor: token.slice(cut + 1) || undefined };
	},
};

/** Returns the list entries whose name or value contains the search text. Ignores case. */
export function filterBySearchText(entries: readonly INodeListSearchItems[], filter = '') {
	const search = filter.trim().toLowerCase();
	return entries.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(search));
}

/** Number of trailing ID characters shown to distinguish entries with the same name. */
const idEnding = 6;

/**
 * Makes dropdown entries with the same name distinguishable by appending the last characters of the
 * ID to each name.
 */
export function disambiguateEntries(
	entries: readonly INodeListSearchItems[],
): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map((entry) => {
		if (counts.get(entry.name) === 1) return entry;
		return { ...entry, name: `${entry.name} …${toText(entry.value).slice(-idEnding)}` };
	});
}

/** Creates a function that loads and searches the dropdown entries from a list endpoint. */
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
				const entries = disambiguateEntries(page.rows.map(source.entry));
				const results = isFilteredByService ? entries : filterBySearchText(entries, trimmedFilter);
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

/** Converts an API constant to a label: `digital_twin` becomes "Digital twin". */
export function toLabel(value: unknown): string | undefined {
	const label = readText(value)?.replace(/_/g, ' ').toLowerCase();
	return label && label[0]?.toUpperCase() + label.slice(1);
}

/** Creates a dropdown entry. Its label is the name, followed by the details in parentheses. */
export function createListItem(
	value: unknown,
	name: unknown,
	details: readonly unknown[] = [],
	url?: unknown,
): INodeListSearchItems {
	const shown = details.map(readText).filter((detail) => detail !== undefined);
	const label = readText(name) ?? toText(value);
	return {
		name: shown.length > 0 ? `${label} (${shown.join(', ')})` : label,
		value: toText(value),
		url: readText(url),
	};
}
