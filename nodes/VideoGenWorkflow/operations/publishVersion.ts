import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { operation } from '../../core/operation';
import { productGraph, workflow } from '../../fields/workflow';
import { groups } from '../groups';

export const publishVersion = operation({
	value: 'publishVersion',
	group: groups.version,
	name: 'Publish',
	action: 'Publish a version',
	description:
		'Make a version that can be run; a graph identical to the latest version gives that version',
	request: 'POST /v3/workflows/{workflow_id}/versions',
	fields: [
		{ ...workflow, required: true },
		{
			displayName: 'Graph From',
			name: 'graphFrom',
			type: 'options',
			options: [
				{ name: 'JSON', value: 'json', description: 'A graph that is given here' },
				{ name: 'The Draft', value: 'draft', description: 'The draft as it is at this moment' },
			],
			default: 'draft',
			description: 'What is published',
			schema: z.enum(['draft', 'json']),
			in: 'local',
		},
		{ ...productGraph, displayOptions: { show: { graphFrom: ['json'] } } },
	],
	repeatable: true,
	async execute({ client, send }, values) {
		let graph: unknown = values.product_graph;
		if (values.graphFrom !== 'json') {
			const read = await client.data({
				line: 'GET /v3/workflows/{workflow_id}',
				path: { workflow_id: values.workflow_id },
			});
			graph = read.draft_product_graph;
			if (graph === undefined || graph === null) {
				throw operationError(
					client.node,
					'This workflow has no draft',
					'Write one with the operation Update Draft, or give the graph as JSON. Nothing was published.',
				);
			}
		}
		return [{ json: await send({ product_graph: graph as IDataObject }) }];
	},
});
