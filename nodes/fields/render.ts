import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Composition renders of the account. */
const renders: ListSource = {
	line: 'GET /v3/hyperframes/renders',
	pageSize: 100,
	entry: (row) => entry(row.render_id, row.title, [row.status, row.resolution, row.aspect_ratio]),
};

/** Composition render, by list or ID. */
export const render = {
	displayName: 'Composition Render',
	name: 'render_id',
	description: 'The composition render to use',
	...locator('searchRenders', renders, 'render_id'),
} as const satisfies Field;
