import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Session, by list or ID. */
export const session = {
	displayName: 'Session',
	name: 'session_id',
	description: 'The agent session',
	...locator('searchSessions', 'session_id', {
		line: 'GET /v3/video-agents',
		entry: (row) => entry(row.session_id, row.title),
	}),
} as const satisfies Field;
