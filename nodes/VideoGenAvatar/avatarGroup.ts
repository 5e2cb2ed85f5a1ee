import type { Field } from '../core/form/field';
import { createListItem, type ListEndpoint } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { explainUnavailable } from '../fields/look';

/** The account's own avatars, then the public ones. */
const avatarGroups: ListEndpoint = {
	line: 'GET /v3/avatars',
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
	pageSize: 50,
	entry: (row) => {
		const looks = row.looks_count === 1 ? '1 look' : `${String(row.looks_count)} looks`;
		return createListItem(
			row.id,
			row.name,
			[typeof row.looks_count === 'number' ? looks : undefined, explainUnavailable(row.status)],
			row.preview_image_url,
		);
	},
};

const ownAvatarGroups: ListEndpoint = { ...avatarGroups, queries: [{ ownership: 'private' }] };

/** Avatar, by list or ID. The API calls it a group: of looks. */
export const avatarGroup = {
	displayName: 'Avatar',
	name: 'group_id',
	description: 'The avatar: one person or character, with all its looks',
	...resourceLocator('searchAvatarGroups', 'group_id', avatarGroups),
} as const satisfies Field;

/** An avatar of the account's own, by list or ID. */
export const ownAvatarGroup = {
	...avatarGroup,
	...resourceLocator('searchOwnAvatarGroups', 'group_id', ownAvatarGroups),
	description: 'An avatar of your own; those of the public catalog cannot be chosen',
} as const satisfies Field;
