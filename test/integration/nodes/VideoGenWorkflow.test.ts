import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenWorkflow/operations';
import type { Simulator } from '../../../simulator';
import { byId } from '../support/engine';
import { describeOperations, runForJson, url, type Cases } from '../support/cases';
import { noWait } from '../support/expectedRequest';

/** A graph with one node that creates text from the input. */
const graph = (more: IDataObject = {}) => ({
	schema_version: '1.0.0',
	inputs: { script: { type: 'text' }, picture: { type: 'image', required: false } },
	nodes: [
		{
			id: 'write',
			type: 'text',
			config: {},
			bindings: { input: { kind: 'run_input', name: 'script' } },
		},
	],
	outputs: { result: { node_id: 'write', port: 'output' } },
	...more,
});

/** The same graph with another input, and therefore a new version. */
const changed = graph({ inputs: { script: { type: 'text' } } });

const aWorkflow = async (service: Simulator): Promise<IDataObject> =>
	await runForJson(service, 'VideoGenWorkflow', {
		resource: 'workflow',
		operation: 'create',
		name: 'Product video',
		product_graph: JSON.stringify(graph()),
	});

const aRun = async (service: Simulator): Promise<IDataObject> => {
	const { workflow_id: id } = await aWorkflow(service);
	const run = await runForJson(service, 'VideoGenWorkflow', {
		resource: 'run',
		operation: 'start',
		workflow_id: byId(id),
		inputsFrom: 'json',
		inputs_json: '{"script": "Hello"}',
		...noWait,
	});
	return { ...run, workflow_id: id };
};

const workflowOf = (ids: IDataObject) => byId(ids.workflow_id);

const cases: Cases = {
	'workflow.create': {
		line: 'POST /v3/workflows',
		parameters: {
			name: 'Product video',
			product_graph: JSON.stringify(graph()),
			options: { meta: '{"team": "shop"}', additionalBodyFields: '{}' },
		},
		differences: { product_graph: graph(), meta: { team: 'shop' } },
	},
	'workflow.get': { line: 'GET /v3/workflows/{workflow_id}', before: aWorkflow },
	'workflow.getMany': { line: 'GET /v3/workflows', before: aWorkflow },
	'workflow.update': {
		line: 'PATCH /v3/workflows/{workflow_id}',
		before: aWorkflow,
		parameters: { product_graph: JSON.stringify(changed), expected_revision: '1' },
		differences: { product_graph: changed, expected_revision: 1 },
	},
	'workflow.getNodeTypes': {
		line: 'GET /v3/workflows/node-types',
		parameters: { options: { perVariant: true } },
		returns: (items) => {
			expect(items.length).toBeGreaterThan(1);
			for (const { json } of items) {
				expect(json).toMatchObject({
					family: expect.any(String),
					family_display_name: expect.any(String),
					variant: expect.any(String),
					input_ports: expect.any(Array),
				});
			}
		},
	},
	'version.publish': {
		line: 'POST /v3/workflows/{workflow_id}/versions',
		before: aWorkflow,
		parameters: { graphFrom: 'json', product_graph: JSON.stringify(changed) },
		differences: { product_graph: changed },
	},
	'version.get': { line: 'GET /v3/workflows/{workflow_id}/versions/1', before: aWorkflow },
	'version.getMany': { line: 'GET /v3/workflows/{workflow_id}/versions', before: aWorkflow },
	'run.start': {
		line: 'POST /v3/workflow-runs',
		before: aWorkflow,
		parameters: (ids) => ({
			workflow_id: workflowOf(ids),
			inputsFrom: 'form',
			inputs: {
				input: [
					{ name: 'script', kind: 'text', text: 'Hello' },
					{
						name: 'picture',
						kind: 'file',
						file: url('https://files.example/a.png'),
					},
					{ name: 'colors', kind: 'json', json: '["red", "blue"]' },
				],
			},
			options: { version_number: 1 },
		}),
		differences: {
			inputs: {
				script: 'Hello',
				picture: { type: 'url', url: 'https://files.example/a.png' },
				colors: ['red', 'blue'],
			},
		},
		keyed: true,
	},
	'run.get': { line: 'GET /v3/workflow-runs/{run_id}', before: aRun },
	'run.getMany': { line: 'GET /v3/workflow-runs', before: aRun },
	'run.getNodes': { line: 'GET /v3/workflow-runs/{run_id}/nodes', before: aRun },
	'run.cancel': { line: 'POST /v3/workflow-runs/{run_id}/cancel', before: aRun },
};

describeOperations('VideoGenWorkflow', resources, cases);
