import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

/** Minutes are enough to tell two jobs apart. */
const formatTime = (seconds: unknown) =>
	typeof seconds === 'number'
		? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
		: undefined;

/** Background removal, by list or ID. They have no title when they are read. */
export const backgroundRemoval = {
	displayName: 'Background Removal',
	name: 'job_id',
	description: 'The background removal to use',
	...resourceLocator('searchBackgroundRemovals', 'job_id', {
		line: 'GET /v3/background-removals',
		entry: (row) => createListItem(row.id, row.title, [row.status, formatTime(row.created_at)]),
	}),
} as const satisfies Field;
