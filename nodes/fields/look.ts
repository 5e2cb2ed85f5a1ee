import type { Field } from '../core/form/field';
import { entry, inWords, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Why a look or an avatar cannot appear in a video yet, or never will; public ones tell no status. */
export function unready(status: unknown): string | undefined {
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
const looks: ListSource = {
	line: 'GET /v3/avatars/looks',
	queries: [{ ownership: 'private' }, { ownership: 'public' }],
	pageSize: 50,
	entry: (row) =>
		entry(
			row.id,
			row.name,
			[inWords(row.avatar_type), row.preferred_orientation, unready(row.status)],
			row.preview_image_url,
		),
};

const ownLooks: ListSource = { ...looks, queries: [{ ownership: 'private' }] };

/** Avatar Look, by list or ID. */
export const look = {
	displayName: 'Avatar Look',
	name: 'avatar_id',
	collection: 'lookAndSound',
	description:
		'The look of the avatar that appears. A look is one appearance (clothes, place, pose) of an avatar.',
	...locator('searchLooks', 'look_id', looks),
} as const satisfies Field;

/** A look of the account's own, by list or ID. */
export const ownLook = {
	...look,
	...locator('searchOwnLooks', 'look_id', ownLooks),
} as const satisfies Field;
