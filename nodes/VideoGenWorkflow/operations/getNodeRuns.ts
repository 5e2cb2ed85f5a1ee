import type { INodeExecutionData } from 'n8n-workflow';
import { operation } from '../../core/operation';
import { run } from '../../fields/workflowRun';
import { groups } from '../groups';

export const getNodeRuns = operation({
	value: 'getNodeRuns',
	group: groups.run,
	name: 'Get Nodes',
	action: 'Get the nodes of a run',
	description: 'Read how far each node of a run is, and why a node failed',
	request: 'GET /v3/workflow-runs/{run_id}/nodes',
	fields: [{ ...run, required: true }],
	// No page size is known for this list, so the service chooses its own.
	async execute({ client }, values) {
		const items: INodeExecutionData[] = [];
		const call = {
			line: 'GET /v3/workflow-runs/{run_id}/nodes',
			path: { run_id: values.run_id },
		};
		for await (const { rows } of client.pages(call)) items.push(...rows.map((json) => ({ json })));
		return items;
	},
});
