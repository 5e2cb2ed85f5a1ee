import type { Field } from '../core/form/field';
import { createListItem, toLabel, type ListEndpoint } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

/** Why a look or an avatar cannot appear in a video yet, or never will; public ones tell no status. */
export function explainUnavailable(status: unknown): string | undefined {
	switch (String(status).toLowerCase()) {
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

/** The account's own looks, then the public ones. */
const lookLists: ListEndpoint = {
	line: 'GET /v3/avatars/looks',
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
	pageSize: 50,
	entry: (row) =>
		createListItem(
			row.id,
			row.name,
			[toLabel(row.avatar_type), row.preferred_orientation, explainUnavailable(row.status)],
			row.preview_image_url,
		),
};

const ownLookList: ListEndpoint = { ...lookLists, queries: [{ ownership: 'private' }] };

/** Avatar Look, by list or ID. */
export const look = {
	displayName: 'Avatar Look',
	name: 'avatar_id',
	collection: 'lookAndSound',
	description:
		'The look of the avatar that appears. A look is one appearance (clothes, place, pose) of an avatar.',
	...resourceLocator('searchLooks', 'look_id', lookLists),
} as const satisfies Field;

/** A look of the account's own, by list or ID. */
export const ownLook = {
	...look,
	...resourceLocator('searchOwnLooks', 'look_id', ownLookList),
} as const satisfies Field;
