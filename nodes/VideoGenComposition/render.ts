import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';

export const compositionRenderField = {
	displayName: 'Composition Render',
	name: 'render_id',
	description: 'Composition render to use',
	...buildResourceLocator('searchRenders', 'render_id', {
		line: 'GET /v3/hyperframes/renders',
		entry: (row) =>
			createListItem(row.render_id, row.title, [row.status, row.resolution, row.aspect_ratio]),
	}),
} as const satisfies Field;
