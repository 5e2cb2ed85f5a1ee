import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { isObject } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { workflowGraphField, workflowField } from '../workflow';

export const publishVersion = defineOperation({
	value: 'publish',
	name: 'Publish',
	action: 'Publish workflow version',
	description:
		'Publish a version that you can run. If the graph matches the latest version, that version is returned.',
	request: 'POST /v3/workflows/{workflow_id}/versions',
	returns: ['version_number', 'checksum'],
	fields: [
		{ ...workflowField, required: true },
		{
			displayName: 'Graph Source',
			name: 'graphFrom',
			type: 'options',
			options: [
				{ name: 'JSON', value: 'json', description: 'The graph that you enter below' },
				{
					name: 'Current Draft',
					value: 'draft',
					description: 'The graph that Update Draft saved last',
				},
			],
			default: 'draft',
			description: 'Source of the graph to publish',
			schema: z.enum(['draft', 'json']),
			in: 'local',
		},
		{ ...workflowGraphField, displayOptions: { show: { graphFrom: ['json'] } } },
	],
	repeatable: true,
	async body({ values, payload }, client) {
		if (values.graphFrom === 'json') return payload;
		const { draft_product_graph: draft } = await client.fetchData({
			line: 'GET /v3/workflows/{workflow_id}',
			path: { workflow_id: values.workflow_id },
		});
		if (!isObject(draft)) {
			throw createOperationError(
				client.node,
				'This workflow has no draft',
				'Create a draft with the Update Draft operation, or enter the graph as JSON. No version was published.',
			);
		}
		return { product_graph: draft };
	},
	reshapeItems: withParentId('workflow_id'),
});
