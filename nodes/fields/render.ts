import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Composition render, by list or ID. */
export const render = {
	displayName: 'Composition Render',
	name: 'render_id',
	description: 'The composition render to use',
	...locator('searchRenders', 'render_id', {
		line: 'GET /v3/hyperframes/renders',
		entry: (row) => entry(row.render_id, row.title, [row.status, row.resolution, row.aspect_ratio]),
	}),
} as const satisfies Field;
