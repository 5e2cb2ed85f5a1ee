import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Sessions of the account, newest first. */
const sessions: ListSource = {
	line: 'GET /v3/video-agents',
	pageSize: 100,
	entry: (row) => entry(row.session_id, row.title),
};

/** Session, by list or ID. */
export const session = {
	displayName: 'Session',
	name: 'session_id',
	description: 'The agent session',
	...locator('searchSessions', sessions, 'session_id'),
} as const satisfies Field;
