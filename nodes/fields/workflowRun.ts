import type { Field } from '../core/form/field';
import { entry } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Run of a workflow, by list or ID; time and status tell runs apart, they have no names. */
export const workflowRun = {
	displayName: 'Run',
	name: 'run_id',
	description: 'The run of a workflow of the service',
	...locator('searchRuns', 'run_id', {
		line: 'GET /v3/workflow-runs',
		entry: (row) => entry(row.id, row.created_at ?? row.id, [row.status, row.id]),
	}),
} as const satisfies Field;
