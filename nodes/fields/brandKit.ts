import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Brand kits of the workspace. */
const searchBrandKits = listSearch({
	line: 'GET /v3/brand-kits',
	pageSize: 100,
	entry: (row) => entry(row.brand_kit_id, row.name),
});

/** Brand Kit, by list or ID. */
export const brandKit = {
	displayName: 'Brand Kit',
	name: 'brand_kit_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'Colors, fonts and logos of a brand',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchBrandKits', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. kit_2b9e' },
	],
	schema: z.string().min(1),
	search: { searchBrandKits },
} as const satisfies Field;
