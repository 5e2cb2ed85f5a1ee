/** Lists behind From List, filled page by page from a list endpoint. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import { createClient } from '../http/client';
import { textOf } from '../json';
import type { ListSearch } from './field';

export interface ListSource {
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
const mostPages = 20;

/** The place in a list of lists: which list, and the service's own cursor in it. */
const place = {
	write: (list: number, cursor?: string) => `${list} ${cursor ?? ''}`,
	read: (token = '0 ') => {
		const cut = token.indexOf(' ');
		return { list: Number(token.slice(0, cut)), cursor: token.slice(cut + 1) || undefined };
	},
};

/** The entries that hold these words. */
export function matching(entries: readonly INodeListSearchItems[], words = '') {
	const wanted = words.trim().toLowerCase();
	return entries.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
}

/** A list search over a list endpoint. The filter looks at names, values and descriptions. */
export function listSearch(source: ListSource): ListSearch {
	const { line, queries = [{}], pageSize = 100, filter: key } = source;
	return async function search(this: ILoadOptionsFunctions, filter, paginationToken) {
		const client = await createClient(this);
		const words = filter?.trim() ?? '';
		const byService = key !== undefined && words !== '';
		const start = place.read(paginationToken);
		let pages = 0;
		for (let list = start.list; list < queries.length; list++) {
			const query = { ...queries[list], ...(byService ? { [key]: words } : {}) };
			const cursor = list === start.list ? start.cursor : undefined;
			for await (const page of client.pages({ line, query }, pageSize, cursor)) {
				const entries = page.rows.map(source.entry);
				const results = byService ? entries : matching(entries, words);
				if (results.length === 0 && ++pages < mostPages) continue;
				if (page.next !== undefined) {
					return { results, paginationToken: place.write(list, page.next) };
				}
				const more = list + 1 < queries.length;
				return { results, paginationToken: more ? place.write(list + 1) : undefined };
			}
		}
		return { results: [] };
	};
}

/** Words of the service as people write them: `digital_twin` is "Digital twin". */
export function inWords(value: unknown): string | undefined {
	const words = textOf(value)?.replace(/_/g, ' ').toLowerCase();
	return words && words[0]?.toUpperCase() + words.slice(1);
}

/** A list entry: the name, with further facts behind it. */
export function entry(
	value: unknown,
	name: unknown,
	further: readonly unknown[] = [],
	url?: unknown,
): INodeListSearchItems {
	const facts = further.map(textOf).filter((fact) => fact !== undefined);
	const label = textOf(name) ?? String(value);
	return {
		name: facts.length > 0 ? `${label} (${facts.join(', ')})` : label,
		value: String(value),
		url: textOf(url),
	};
}
