import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Minutes are enough to tell two jobs apart. */
const time = (seconds: unknown) =>
	typeof seconds === 'number'
		? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
		: undefined;

/** The jobs of the account, newest first. They have no title when they are read. */
const backgroundRemovals: ListSource = {
	line: 'GET /v3/background-removals',
	pageSize: 100,
	entry: (row) => entry(row.id, row.title, [row.status, time(row.created_at)]),
};

/** Background removal, by list or ID. */
export const backgroundRemoval = {
	displayName: 'Background Removal',
	name: 'job_id',
	description: 'The background removal to use',
	...locator('searchBackgroundRemovals', backgroundRemovals, 'job_id'),
} as const satisfies Field;
