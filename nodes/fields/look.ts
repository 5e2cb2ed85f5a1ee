import { z } from 'zod';
import type { Field } from '../core/field';
import { entry, listSearch } from '../core/list';

/** The account's own looks, then the public ones (api.md, 7). */
const searchLooks = listSearch({
	line: 'GET /v3/avatars/looks',
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
	pageSize: 50,
	entry: (row) =>
		entry(row.id, row.name, [row.avatar_type, row.preferred_orientation], row.preview_image_url),
});

/** Avatar Look, by list or ID. */
export const look = {
	displayName: 'Avatar Look',
	name: 'avatar_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The look of the avatar that appears. A look is one appearance (clothes, place, pose) of an avatar.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchLooks', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. look_7c1d' },
	],
	schema: z.string().min(1),
	search: { searchLooks },
} as const satisfies Field;
