import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';

/**
 * Form field for selecting a workflow run. The list shows each run's time and status, because runs
 * have no names.
 */
export const workflowRunField = {
	displayName: 'Run',
	name: 'run_id',
	description: 'A workflow run in the service',
	...buildResourceLocator('searchRuns', 'run_id', {
		line: 'GET /v3/workflow-runs',
		entry: (row) => createListItem(row.id, row.created_at ?? row.id, [row.status, row.id]),
	}),
} as const satisfies Field;
