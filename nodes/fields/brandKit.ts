import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from './listSearch';

/** Form field for selecting a brand kit from a list or by ID. */
export const brandKitField = {
	displayName: 'Brand Kit',
	name: 'brand_kit_id',
	collection: 'lookAndSound',
	description:
		'The brand whose colors, fonts and logos the video uses. If not set, no brand kit is used.',
	...buildResourceLocator(
		'searchBrandKits',
		'brand_kit_id',
		{
			line: 'GET /v3/brand-kits',
			entry: (row) => createListItem(row.brand_kit_id, row.name),
		},
		{ line: 'GET /v3/brand-kits/{brand_kit_id}' },
	),
} as const satisfies Field;
