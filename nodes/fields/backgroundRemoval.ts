import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Minutes are enough to tell two jobs apart. */
const time = (seconds: unknown) =>
	typeof seconds === 'number'
		? `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
		: undefined;

/** The jobs of the account, newest first. They have no title when they are read. */
const searchBackgroundRemovals = listSearch({
	line: 'GET /v3/background-removals',
	pageSize: 100,
	entry: (row) => entry(row.id, row.title, [row.status, time(row.created_at)]),
});

/** Background removal, by list or ID. */
export const backgroundRemoval = {
	displayName: 'Background Removal',
	name: 'job_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The background removal to use',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchBackgroundRemovals', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. {{ $json.id }}' },
	],
	schema: z.string().min(1),
	search: { searchBackgroundRemovals },
} as const satisfies Field;
