import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Sessions of the account, newest first. */
const searchSessions = listSearch({
	line: 'GET /v3/video-agents',
	pageSize: 100,
	entry: (row) => entry(row.session_id, row.title),
});

/** Session, by list or ID. */
export const session = {
	displayName: 'Session',
	name: 'session_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The agent session',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchSessions', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. {{ $json.session_id }}',
		},
	],
	schema: z.string().min(1),
	search: { searchSessions },
} as const satisfies Field;
