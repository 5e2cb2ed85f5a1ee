import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

const groups = {
	line: 'GET /v3/avatars',
	pageSize: 50,
	entry: (row: IDataObject) => {
		const looks = row.looks_count === 1 ? '1 look' : `${String(row.looks_count)} looks`;
		const unfinished = row.status === 'completed' ? undefined : row.status;
		return entry(
			row.id,
			row.name,
			[typeof row.looks_count === 'number' ? looks : undefined, unfinished],
			row.preview_image_url,
		);
	},
};

/** The account's own avatars, then the public ones (api.md, 7). */
const searchAvatarGroups = listSearch({
	...groups,
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
});

const searchOwnAvatarGroups = listSearch({ ...groups, queries: [{ ownership: 'private' }] });

/** Avatar, by list or ID. The API calls it a group: of looks. */
export const avatarGroup = {
	displayName: 'Avatar',
	name: 'group_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The avatar: one person or character, with all its looks',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchAvatarGroups', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. group_3e5b' },
	],
	schema: z.string().min(1),
	search: { searchAvatarGroups },
} as const satisfies Field;

const [, byId] = avatarGroup.modes;

/** An avatar of the account's own, by list or ID. */
export const ownAvatarGroup = {
	...avatarGroup,
	description: 'An avatar of your own; those of the public catalog cannot be chosen',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchOwnAvatarGroups', searchable: true },
		},
		byId,
	],
	search: { searchOwnAvatarGroups },
} as const satisfies Field;
