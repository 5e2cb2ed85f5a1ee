import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** Runs of all workflows; they have no names, so their time and status tell them apart. */
const runs: ListSource = {
	line: 'GET /v3/workflow-runs',
	pageSize: 100,
	entry: (row) => entry(row.id, row.created_at ?? row.id, [row.status, row.id]),
};

/** Run of a workflow, by list or ID. */
export const workflowRun = {
	displayName: 'Run',
	name: 'run_id',
	description: 'The run of a workflow of the service',
	...locator('searchRuns', runs, 'run_id'),
} as const satisfies Field;
