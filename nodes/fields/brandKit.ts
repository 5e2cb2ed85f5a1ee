import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Brand Kit, by list or ID. */
export const brandKit = {
	displayName: 'Brand Kit',
	name: 'brand_kit_id',
	collection: 'lookAndSound',
	description: 'Colors, fonts and logos of a brand',
	...locator('searchBrandKits', 'brand_kit_id', {
		line: 'GET /v3/brand-kits',
		entry: (row) => entry(row.brand_kit_id, row.name),
	}),
} as const satisfies Field;
