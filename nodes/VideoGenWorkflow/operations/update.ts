import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import { defineOperation } from '../../core/operation';
import { workflowGraphField, workflowField } from '../workflow';

export const update = defineOperation({
	value: 'update',
	name: 'Update Draft',
	action: 'Update workflow draft',
	description: "Replace the draft's graph and leave published versions unchanged",
	request: 'PATCH /v3/workflows/{workflow_id}',
	returns: ['name', 'status', 'draft_revision'],
	fields: [
		{ ...workflowField, required: true },
		workflowGraphField,
		{
			displayName: 'Expected Revision',
			name: 'expected_revision',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.draft_revision }}',
			description:
				'The draft_revision of the draft that you edited, 0 or higher. The service rejects the update if someone else has changed the draft since then. Leave empty to replace the current draft.',
			schema: z
				.string()
				.trim()
				.regex(/^\d{1,15}$/, 'must be a whole number of 0 or more')
				.transform(Number),
		},
	],
	async body({ values, payload }, client) {
		if (values.expected_revision !== undefined) return payload;
		const { draft_revision: revision } = await client.fetchData({
			line: 'GET /v3/workflows/{workflow_id}',
			path: { workflow_id: values.workflow_id },
		});
		if (typeof revision !== 'number') {
			throw createOperationError(
				client.node,
				"The service did not return the draft's revision",
				'Fill in Expected Revision. The draft was not changed.',
			);
		}
		return { ...payload, expected_revision: revision };
	},
	explanations: {
		stale_workflow_draft: {
			message: 'The draft has changed since you retrieved it',
			advice:
				'Get workflow {workflow_id} again and use its new draft_revision. If the connection broke during this run, the draft may already have been replaced.',
		},
	},
});
