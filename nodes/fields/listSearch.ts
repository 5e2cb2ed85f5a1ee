/**
 * Creates the functions that fill searchable dropdown lists, such as the list of voices, from the
 * list endpoints of the service.
 */
import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchItems,
	jsonParse,
} from 'n8n-workflow';
import { createDigest } from '../core/digest';
import { createClient } from '../core/http/client';
import { readText, toText } from '../core/json';
import type { ListSearchMethod, IdLookUp } from '../core/form/field';
import { idSchema } from '../core/form/validation';

export interface ListEndpoint {
	/** Method and path of a list endpoint, such as `GET /v3/voices`. */
	line: string;
	/**
	 * Query parameters of the lists to show one after the other, such as private voices and then
	 * public ones.
	 */
	queries?: readonly IDataObject[];
	/** Number of rows to request per page. Defaults to 100. */
	pageSize?: number;
	/** Query parameter for the search text. If undefined, the node filters the rows itself. */
	filter?: string;
	entry: (row: IDataObject) => INodeListSearchItems;
}

/** Maximum number of pages that a search loads without finding a match. */
const maxPagesPerSearch = 20;

/**
 * Position after the entries loaded so far. The editor sends this position back to load more
 * entries.
 */
interface SearchPosition {
	/** Index of the current list in the endpoint's `queries`. */
	list: number;
	/** Cursor of the next page. Undefined for the first page of a list. */
	cursor?: string;
	/**
	 * Hashes of the names shown so far. If a later entry has one of these names, its label also
	 * shows the end of its ID.
	 */
	shownNames: string[];
}

const readPosition = (token: string | undefined): SearchPosition =>
	token === undefined
		? { list: 0, shownNames: [] }
		: jsonParse<SearchPosition>(token, { errorMessage: 'This page of the list does not exist.' });

/** Returns a short hash of a name, which keeps the pagination token small even after many pages. */
const hashName = (name: string) => createDigest(name).slice(0, 8);

/** Returns the entries whose name or value contains the search text, ignoring case. */
export function filterBySearchText(entries: readonly INodeListSearchItems[], filter = '') {
	const search = filter.trim().toLowerCase();
	return entries.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(search));
}

const idEnding = 6;

/**
 * Appends the end of the ID to each name that several entries share.
 *
 * @param wasShown function that returns whether an earlier page contained an entry with this name
 */
export function disambiguateEntries(
	entries: readonly INodeListSearchItems[],
	wasShown: (name: string) => boolean = () => false,
): INodeListSearchItems[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map((entry) => {
		if (counts.get(entry.name) === 1 && !wasShown(entry.name)) return entry;
		return { ...entry, name: `${entry.name} …${toText(entry.value).slice(-idEnding)}` };
	});
}

export function createListSearch(source: ListEndpoint): ListSearchMethod {
	const { line, queries = [{}], pageSize = 100, filter: filterParameter } = source;
	return async function search(this: ILoadOptionsFunctions, filter, paginationToken) {
		const client = await createClient(this);
		const trimmedFilter = filter?.trim() ?? '';
		const isFilteredByService = filterParameter !== undefined && trimmedFilter !== '';
		const filterQuery = isFilteredByService ? { [filterParameter]: trimmedFilter } : {};
		const start = readPosition(paginationToken);
		const shownNames = new Set(start.shownNames);
		const wasShown = (name: string) => shownNames.has(hashName(name));
		let pagesWithoutResults = 0;
		for (let list = start.list; list < queries.length; list++) {
			const query = { ...queries[list], ...filterQuery };
			const cursor = list === start.list ? start.cursor : undefined;
			for await (const page of client.fetchPages({ line, query }, pageSize, cursor)) {
				const rows = page.rows.map(source.entry);
				const entries = disambiguateEntries(rows, wasShown);
				const results = isFilteredByService ? entries : filterBySearchText(entries, trimmedFilter);
				for (const { name } of rows) shownNames.add(hashName(name));
				if (results.length === 0 && ++pagesWithoutResults < maxPagesPerSearch) continue;
				const isLastPage = page.next === undefined;
				if (isLastPage && list + 1 === queries.length) return { results };
				const next: SearchPosition = {
					...(isLastPage ? { list: list + 1 } : { list, cursor: page.next }),
					shownNames: [...shownNames],
				};
				return { results, paginationToken: JSON.stringify(next) };
			}
		}
		return { results: [] };
	};
}

/** Converts an API value to a label: `digital_twin` becomes "Digital twin". */
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

/**
 * Builds a resource locator, a field for selecting from a list or by ID. The caller adds the
 * field's name.
 *
 * @param method name of the search function, unique among all fields of a node
 * @param id key of the ID in output items, used in the field's placeholder
 */
export const buildResourceLocator = <const M extends string>(
	method: M,
	id: string,
	source: ListEndpoint | ListSearchMethod,
	lookUp?: IdLookUp,
) =>
	({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: method, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. {{ $json.${id} }}` },
		],
		schema: idSchema,
		search: {
			[method]: typeof source === 'function' ? source : createListSearch(source),
		} as Record<M, ListSearchMethod>,
		lookUp,
	}) as const;
