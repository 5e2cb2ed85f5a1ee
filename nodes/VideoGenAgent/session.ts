import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';

export const sessionField = {
	displayName: 'Session',
	name: 'session_id',
	description: 'The agent session, which contains the chat and its videos',
	...buildResourceLocator(
		'searchSessions',
		'session_id',
		{
			line: 'GET /v3/video-agents',
			entry: (row) => createListItem(row.session_id, row.title),
		},
		{ line: 'GET /v3/video-agents/{session_id}' },
	),
} as const satisfies Field;
