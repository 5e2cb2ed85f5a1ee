import { apiLimits } from '../apiLimits';
import type { Field, IdLookUp } from '../core/form/field';
import { createListItem, toLabel, type ListEndpoint, buildResourceLocator } from './listSearch';
import { toText } from '../core/json';

/**
 * Returns the reason why an avatar or look with the given status cannot be used in a video. Returns
 * `undefined` if it can be used. Public avatars and looks have no status and can always be used.
 */
export function explainUnusableStatus(status: unknown): string | undefined {
	switch (toText(status).toLowerCase()) {
		case 'pending_consent':
			return 'cannot be used: consent pending';
		case 'failed':
			return 'cannot be used: failed';
		case 'processing':
			return 'not ready yet';
		default:
			return undefined;
	}
}

/**
 * Endpoint that provides the avatar looks for a dropdown: the account's own looks first, then
 * public ones.
 */
const lookLists: ListEndpoint = {
	line: 'GET /v3/avatars/looks',
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
	pageSize: apiLimits['GET /v3/avatars/looks'].limit.max,
	entry: (row) =>
		createListItem(
			row.id,
			row.name,
			// The editor truncates long entries.
			[explainUnusableStatus(row.status), toLabel(row.avatar_type), row.preferred_orientation],
			row.preview_image_url,
		),
};

const lookLookUp: IdLookUp = {
	line: 'GET /v3/avatars/looks/{look_id}',
	explainUnusable: ({ status }) => explainUnusableStatus(status),
};

const ownLookList: ListEndpoint = { ...lookLists, queries: [{ ownership: 'private' }] };

/** Form field for selecting an avatar look (an appearance of an avatar) from a list or by ID. */
export const lookField = {
	displayName: 'Avatar Look',
	name: 'avatar_id',
	collection: 'lookAndSound',
	description:
		'The look of the avatar in the video. A look is one appearance of an avatar: clothing, setting and pose.',
	...buildResourceLocator('searchLooks', 'look_id', lookLists, lookLookUp),
} as const satisfies Field;

/** Form field for selecting one of the account's own avatar looks, from a list or by ID. */
export const privateLookField = {
	...lookField,
	...buildResourceLocator('searchOwnLooks', 'look_id', ownLookList, lookLookUp),
} as const satisfies Field;
