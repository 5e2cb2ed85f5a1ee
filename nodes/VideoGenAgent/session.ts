import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

export const sessionField = {
	displayName: 'Session',
	name: 'session_id',
	description: 'Session of the video agent',
	...resourceLocator('searchSessions', 'session_id', {
		line: 'GET /v3/video-agents',
		entry: (row) => createListItem(row.session_id, row.title),
	}),
} as const satisfies Field;
