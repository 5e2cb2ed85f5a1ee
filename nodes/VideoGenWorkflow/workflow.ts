import { z } from 'zod';
import { apiLimits } from '../apiLimits';
import type { Field, ListSearchMethod } from '../core/form/field';
import { createListItem, filterBySearchText, buildResourceLocator } from '../fields/listSearch';
import { createClient } from '../core/http/client';
import { readSelectedId } from '../fields/dependentLists';
import { createOpenObjectSchema } from '../fields/jsonSchemas';
import { toText } from '../core/json';

/**
 * Form field for selecting a workflow in the video service. These workflows are unrelated to n8n
 * workflows.
 */
export const workflowField = {
	displayName: 'Workflow',
	name: 'workflow_id',
	description: 'The workflow in the service, not in n8n',
	...buildResourceLocator(
		'searchWorkflows',
		'workflow_id',
		{
			line: 'GET /v3/workflows',
			entry: (row) => createListItem(row.id, row.name, [row.status]),
		},
		{ line: 'GET /v3/workflows/{workflow_id}' },
	),
} as const satisfies Field;

/** Fills a dropdown with the published versions of the workflow selected in the form. */
const searchWorkflowVersions: ListSearchMethod = async function (filter, paginationToken) {
	const workflowId = readSelectedId(this, 'workflow_id');
	if (workflowId === undefined) return { results: [] };
	const client = await createClient(this);
	const line = 'GET /v3/workflows/{workflow_id}/versions';
	const request = { line, path: { workflow_id: workflowId } };
	const { max } = apiLimits[line].limit;
	for await (const page of client.fetchPages(request, max, paginationToken)) {
		const entries = page.rows.map((row) =>
			createListItem(row.version_number, `Version ${toText(row.version_number)}`),
		);
		const results = filterBySearchText(entries, filter);
		if (results.length > 0) return { results, paginationToken: page.next };
	}
	return { results: [] };
};

const versionModes = buildResourceLocator(
	'searchVersions',
	'version_number',
	searchWorkflowVersions,
);

/** Form field for selecting one of a workflow's published versions, from a list or by number. */
export const workflowVersionField = {
	displayName: 'Version',
	name: 'version',
	description: 'A published version of the workflow',
	...versionModes,
	modes: [versionModes.modes[0], { ...versionModes.modes[1], displayName: 'By Number' }],
} as const satisfies Field;

/**
 * Form field for a workflow graph as JSON. The service validates the graph and reports all problems
 * at once.
 */
export const workflowGraphField = {
	displayName: 'Graph (JSON)',
	name: 'product_graph',
	type: 'json',
	typeOptions: { rows: 12 },
	default: '{\n  "schema_version": "1.0.0",\n  "inputs": {},\n  "nodes": [],\n  "outputs": {}\n}',
	required: true,
	description:
		'Nodes and connections of the workflow, as an object with schema_version, inputs, nodes and outputs. Names and IDs must start with a letter and contain at most 64 letters, digits and underscores. The "Get Node Types" operation lists the available nodes.',
	schema: createOpenObjectSchema({ schema_version: z.string().min(1) }),
} as const satisfies Field;
