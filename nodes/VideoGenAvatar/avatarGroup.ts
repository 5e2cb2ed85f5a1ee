import { apiLimits } from '../apiLimits';
import type { Field, IdLookUp } from '../core/form/field';
import { createListItem, type ListEndpoint, buildResourceLocator } from '../fields/listSearch';
import { explainUnusableStatus } from '../fields/look';
import { toText } from '../core/json';

/**
 * Endpoint that provides the avatars for a dropdown: the account's own avatars first, then public
 * ones.
 */
const avatarGroups: ListEndpoint = {
	line: 'GET /v3/avatars',
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
	pageSize: apiLimits['GET /v3/avatars'].limit.max,
	entry: (row) => {
		const looks = row.looks_count === 1 ? '1 look' : `${toText(row.looks_count)} looks`;
		return createListItem(
			row.id,
			row.name,
			[typeof row.looks_count === 'number' ? looks : undefined, explainUnusableStatus(row.status)],
			row.preview_image_url,
		);
	},
};

const avatarLookUp: IdLookUp = { line: 'GET /v3/avatars/{group_id}' };

const ownAvatarGroups: ListEndpoint = { ...avatarGroups, queries: [{ ownership: 'private' }] };

/**
 * Form field for selecting an avatar. The API calls an avatar a group, because each avatar consists
 * of several looks (appearances of the same person or character).
 */
export const avatarGroupField = {
	displayName: 'Avatar',
	name: 'group_id',
	description: 'An avatar is one person or character with all their looks',
	...buildResourceLocator('searchAvatarGroups', 'group_id', avatarGroups, avatarLookUp),
} as const satisfies Field;

/**
 * Form field for selecting one of the account's own avatars. Public avatars are omitted, because
 * they cannot be changed or deleted.
 */
export const ownAvatarGroupField = {
	...avatarGroupField,
	...buildResourceLocator('searchOwnAvatarGroups', 'group_id', ownAvatarGroups, avatarLookUp),
	description: 'One of your own avatars; public avatars cannot be selected',
} as const satisfies Field;
