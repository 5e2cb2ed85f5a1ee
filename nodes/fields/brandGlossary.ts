import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Brand glossaries of the workspace; one newer source calls the key `id`. */
const searchBrandGlossaries = listSearch({
	line: 'GET /v3/brand-glossaries',
	pageSize: 100,
	entry: (row) => entry(row.brand_glossary_id ?? row.id, row.name),
});

/** Brand Glossary, by list or ID. */
export const brandGlossary = {
	displayName: 'Brand Glossary',
	name: 'brand_glossary_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'How the words of a brand are pronounced and translated',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchBrandGlossaries', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. glossary_81f0' },
	],
	schema: z.string().min(1),
	search: { searchBrandGlossaries },
} as const satisfies Field;
