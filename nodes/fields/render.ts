import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Composition renders of the account. */
const searchRenders = listSearch({
	line: 'GET /v3/hyperframes/renders',
	pageSize: 100,
	entry: (row) => entry(row.render_id, row.title, [row.status, row.resolution, row.aspect_ratio]),
});

/** Composition render, by list or ID. */
export const render = {
	displayName: 'Composition Render',
	name: 'render_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The composition render to use',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchRenders', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. {{ $json.render_id }}',
		},
	],
	schema: z.string().min(1),
	search: { searchRenders },
} as const satisfies Field;
