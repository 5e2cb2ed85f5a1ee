import { z } from 'zod';
import type { Field, ListSearch } from '../core/form/field';
import { createListItem, filterEntries } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { createClient } from '../core/http/client';
import { readSelectedId } from '../fields/dependentLists';
import { createOpenObject } from '../fields/jsonSchemas';

/** Workflow of the service, by list or ID; it has nothing to do with those of n8n. */
export const workflow = {
	displayName: 'Workflow',
	name: 'workflow_id',
	description: 'The workflow of the service, not of n8n',
	...resourceLocator('searchWorkflows', 'workflow_id', {
		line: 'GET /v3/workflows',
		entry: (row) => createListItem(row.id, row.name, [row.status]),
	}),
} as const satisfies Field;

/** The versions of the workflow chosen in the form. */
const searchWorkflowVersions: ListSearch = async function (filter, paginationToken) {
	const chosen = readSelectedId(this, 'workflow_id');
	if (chosen === undefined) return { results: [] };
	const client = await createClient(this);
	const call = {
		line: 'GET /v3/workflows/{workflow_id}/versions',
		path: { workflow_id: chosen },
	};
	for await (const page of client.fetchPages(call, 100, paginationToken)) {
		const entries = page.rows.map((row) =>
			createListItem(row.version_number, `Version ${String(row.version_number)}`),
		);
		const results = filterEntries(entries, filter);
		if (results.length > 0) return { results, paginationToken: page.next };
	}
	return { results: [] };
};

const versionModes = resourceLocator('searchVersions', 'version_number', searchWorkflowVersions);

/** Version of a workflow, by list or number. */
export const workflowVersion = {
	displayName: 'Version',
	name: 'version',
	description: 'The published version',
	...versionModes,
	modes: [versionModes.modes[0], { ...versionModes.modes[1], displayName: 'By Number' }],
} as const satisfies Field;

/** Only its outline is checked here: the service lists all problems of a graph at once. */
export const workflowGraph = {
	displayName: 'Graph (JSON)',
	name: 'product_graph',
	type: 'json',
	typeOptions: { rows: 12 },
	default: '{\n  "schema_version": "1.0.0",\n  "inputs": {},\n  "nodes": [],\n  "outputs": {}\n}',
	required: true,
	description:
		'The nodes of the workflow and how they are connected: schema_version, inputs, nodes and outputs. Names and IDs in it begin with a letter and hold at most 64 letters, digits and underscores. Get Node Types tells which nodes there are.',
	schema: createOpenObject({ schema_version: z.string().min(1) }),
} as const satisfies Field;
