import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';

/**
 * Formats a Unix time (in seconds) as a UTC date and time without seconds. Returns undefined if the
 * value is not a number.
 */
const formatTime = (seconds: unknown) =>
	typeof seconds === 'number'
		? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
		: undefined;

/**
 * Form field for selecting a background removal job. The list shows the status and creation time of
 * each job, because most jobs have no title.
 */
export const backgroundRemovalJobField = {
	displayName: 'Background Removal',
	name: 'job_id',
	description: 'Background removal to use',
	...buildResourceLocator('searchBackgroundRemovals', 'job_id', {
		line: 'GET /v3/background-removals',
		entry: (row) => createListItem(row.id, row.title, [row.status, formatTime(row.created_at)]),
	}),
} as const satisfies Field;
