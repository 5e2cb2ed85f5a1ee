import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Brand kits of the workspace. */
const brandKits: ListSource = {
	line: 'GET /v3/brand-kits',
	pageSize: 100,
	entry: (row) => entry(row.brand_kit_id, row.name),
};

/** Brand Kit, by list or ID. */
export const brandKit = {
	displayName: 'Brand Kit',
	name: 'brand_kit_id',
	collection: 'lookAndSound',
	description: 'Colors, fonts and logos of a brand',
	...locator('searchBrandKits', brandKits, 'brand_kit_id'),
} as const satisfies Field;
