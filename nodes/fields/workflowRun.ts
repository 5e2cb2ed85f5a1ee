import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** Runs of all workflows; they have no names, so their time and status tell them apart. */
const searchRuns = listSearch({
	line: 'GET /v3/workflow-runs',
	pageSize: 100,
	entry: (row) => entry(row.id, row.created_at ?? row.id, [row.status, row.id]),
});

/** Run of a workflow, by list or ID. */
export const run = {
	displayName: 'Run',
	name: 'run_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The run of a workflow of the service',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchRuns', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. {{ $json.id }}' },
	],
	schema: z.string().min(1),
	search: { searchRuns },
} as const satisfies Field;
