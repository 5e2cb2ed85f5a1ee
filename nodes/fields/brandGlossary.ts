import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from './listSearch';

/**
 * Form field for selecting a brand glossary from a list or by ID. The service may return the ID as
 * `brand_glossary_id` or as `id`, because its documentation is inconsistent
 * (service.md, Resources).
 */
export const brandGlossaryField = {
	displayName: 'Brand Glossary',
	name: 'brand_glossary_id',
	collection: 'lookAndSound',
	description:
		"The glossary with a brand's pronunciations and translations. If not set, no glossary is used.",
	...buildResourceLocator(
		'searchBrandGlossaries',
		'brand_glossary_id',
		{
			line: 'GET /v3/brand-glossaries',
			entry: (row) => createListItem(row.brand_glossary_id ?? row.id, row.name),
		},
		{ line: 'GET /v3/brand-glossaries/{brand_glossary_id}' },
	),
} as const satisfies Field;
