/**
 * Builds form fields for selecting something either from a list or by ID. n8n calls such a field a
 * resource locator.
 */
import type { ListSearchMethod, IdCheck } from './field';
import { createListSearch, type ListEndpoint } from './listSearch';
import { idSchema } from './text';

/**
 * The caller adds the field's name.
 *
 * @param method name of the search function, unique among all fields of a node
 * @param id property of an item with the ID, shown in the placeholder
 */
export const buildResourceLocator = <const M extends string>(
	method: M,
	id: string,
	source: ListEndpoint | ListSearchMethod,
	lookUp?: IdCheck,
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
