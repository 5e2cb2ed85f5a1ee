import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

/** Run of a workflow, by list or ID; time and status tell runs apart, they have no names. */
export const workflowRun = {
	displayName: 'Run',
	name: 'run_id',
	description: 'The run of a workflow of the service',
	...resourceLocator('searchRuns', 'run_id', {
		line: 'GET /v3/workflow-runs',
		entry: (row) => createListItem(row.id, row.created_at ?? row.id, [row.status, row.id]),
	}),
} as const satisfies Field;
