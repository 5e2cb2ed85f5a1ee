import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Minutes are enough to tell two jobs apart. */
const time = (seconds: unknown) =>
	typeof seconds === 'number'
		? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
		: undefined;

/** Background removal, by list or ID. They have no title when they are read. */
export const backgroundRemoval = {
	displayName: 'Background Removal',
	name: 'job_id',
	description: 'The background removal to use',
	...locator('searchBackgroundRemovals', 'job_id', {
		line: 'GET /v3/background-removals',
		entry: (row) => entry(row.id, row.title, [row.status, time(row.created_at)]),
	}),
} as const satisfies Field;
