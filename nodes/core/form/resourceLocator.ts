/** Builds resource locators with the modes From List and By ID. */
import { z } from 'zod';
import type { ListSearch } from './field';
import { createListSearch, type ListEndpoint } from './listSearch';

/**
 * Returns the properties that all resource locators share, to spread into a field that has a name.
 *
 * @param method name of the list search, unique among all fields of a node
 * @param id key under which items carry this ID, for the placeholder
 * @param source list endpoint, or custom list search
 */
export const resourceLocator = <const M extends string>(
	method: M,
	id: string,
	source: ListEndpoint | ListSearch,
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
		schema: z.string().min(1),
		search: {
			[method]: typeof source === 'function' ? source : createListSearch(source),
		} as Record<M, ListSearch>,
	}) as const;
