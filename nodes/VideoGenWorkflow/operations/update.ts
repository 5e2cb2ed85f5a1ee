import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { operation } from '../../core/operation';
import { productGraph, workflow } from '../../fields/workflow';
import { groups } from '../groups';

export const update = operation({
	value: 'update',
	group: groups.workflow,
	name: 'Update Draft',
	action: 'Update the draft of a workflow',
	description: 'Replace the graph of the draft; published versions stay as they are',
	request: 'PATCH /v3/workflows/{workflow_id}',
	fields: [
		{ ...workflow, required: true },
		productGraph,
		{
			displayName: 'Expected Revision',
			name: 'expected_revision',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.draft_revision }}',
			description:
				'The draft_revision of the draft that you changed, 0 or more. The service then refuses the update if somebody else has changed the draft since. Leave empty to replace whatever is there now.',
			schema: z
				.string()
				.trim()
				.regex(/^\d{1,15}$/, 'must be a whole number of 0 or more')
				.transform(Number),
		},
	],
	mayExist:
		'The draft may have been replaced all the same, so the request was not repeated. Read the workflow with the operation Get: its draft_revision tells.',
	async execute({ client, send }, values) {
		let revision: unknown = values.expected_revision;
		if (revision === undefined) {
			const read = await client.data({
				line: 'GET /v3/workflows/{workflow_id}',
				path: { workflow_id: values.workflow_id },
			});
			revision = read.draft_revision;
			if (typeof revision !== 'number') {
				throw operationError(
					client.node,
					'The service did not tell the revision of the draft',
					'Fill in Expected Revision. Nothing was changed.',
				);
			}
		}
		const graph = values.product_graph as IDataObject;
		const reply = await send({ product_graph: graph, expected_revision: revision as number });
		return [{ json: reply }];
	},
});
