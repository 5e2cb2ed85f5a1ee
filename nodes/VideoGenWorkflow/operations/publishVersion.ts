import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { isObject } from '../../core/json';
import { operation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { workflowGraph, workflow } from '../workflow';

export const publishVersion = operation({
	value: 'publish',
	name: 'Publish',
	action: 'Publish a version of a workflow',
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
		{ ...workflowGraph, displayOptions: { show: { graphFrom: ['json'] } } },
	],
	repeatable: true,
	async body({ values, payload }, client) {
		if (values.graphFrom === 'json') return payload;
		const read = await client.fetchData({
			line: 'GET /v3/workflows/{workflow_id}',
			path: { workflow_id: values.workflow_id },
		});
		if (!isObject(read.draft_product_graph)) {
			throw createOperationError(
				client.node,
				'This workflow has no draft',
				'Write one with the operation Update Draft, or give the graph as JSON. Nothing was published.',
			);
		}
		return { product_graph: read.draft_product_graph };
	},
	reshapeItems: withParentId('workflow_id'),
});
