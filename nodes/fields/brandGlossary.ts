import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Brand glossaries of the workspace; some sources call the key `id` (docs/service.md, Resources). */
const brandGlossaries: ListSource = {
	line: 'GET /v3/brand-glossaries',
	pageSize: 100,
	entry: (row) => entry(row.brand_glossary_id ?? row.id, row.name),
};

/** Brand Glossary, by list or ID. */
export const brandGlossary = {
	displayName: 'Brand Glossary',
	name: 'brand_glossary_id',
	collection: 'lookAndSound',
	description: 'How the words of a brand are pronounced and translated',
	...locator('searchBrandGlossaries', brandGlossaries, 'brand_glossary_id'),
} as const satisfies Field;
