import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

const looks = {
	line: 'GET /v3/avatars/looks',
	pageSize: 50,
	entry: (row: IDataObject) =>
		entry(row.id, row.name, [row.avatar_type, row.preferred_orientation], row.preview_image_url),
};

/** The account's own looks, then the public ones (api.md, 7). */
const searchLooks = listSearch({
	...looks,
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
});

const searchOwnLooks = listSearch({ ...looks, queries: [{ ownership: 'private' }] });

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

const [, byId] = look.modes;

/** A look of the account's own, by list or ID. */
export const ownLook = {
	...look,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchOwnLooks', searchable: true },
		},
		byId,
	],
	search: { searchOwnLooks },
} as const satisfies Field;
