import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenWorkflow/operations';
import type { Simulator } from '../../../simulator';
import { byId } from '../support/engine';
import {
	describeOperations,
	few,
	runForJson,
	noWait,
	type Case,
	url,
	firstRows,
} from '../support/cases';

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
const runOf = (ids: IDataObject) => byId(ids.run_id);

const cases: Record<string, Case> = {
	'workflow.create': {
		parameters: () => ({
			name: 'Product video',
			product_graph: JSON.stringify(graph()),
			options: { meta: '{"team": "shop"}', additionalBodyFields: '{}' },
		}),
		sends: () => ({
			line: 'POST /v3/workflows',
			body: { name: 'Product video', product_graph: graph(), meta: { team: 'shop' } },
		}),
	},
	'workflow.get': {
		before: aWorkflow,
		parameters: (ids) => ({ workflow_id: workflowOf(ids) }),
		sends: (ids) => ({ line: `GET /v3/workflows/${ids.workflow_id}`, query: {} }),
	},
	'workflow.getMany': firstRows('GET /v3/workflows', aWorkflow),
	'workflow.update': {
		before: aWorkflow,
		parameters: (ids) => ({
			workflow_id: workflowOf(ids),
			product_graph: JSON.stringify(changed),
			expected_revision: '1',
		}),
		sends: (ids) => ({
			line: `PATCH /v3/workflows/${ids.workflow_id}`,
			body: { product_graph: changed, expected_revision: 1 },
		}),
	},
	'workflow.getNodeTypes': {
		parameters: () => ({ options: { perVariant: true } }),
		sends: () => ({ line: 'GET /v3/workflows/node-types', query: {} }),
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
		before: aWorkflow,
		parameters: (ids) => ({
			workflow_id: workflowOf(ids),
			graphFrom: 'json',
			product_graph: JSON.stringify(changed),
		}),
		sends: (ids) => ({
			line: `POST /v3/workflows/${ids.workflow_id}/versions`,
			body: { product_graph: changed },
		}),
	},
	'version.get': {
		before: aWorkflow,
		parameters: (ids) => ({ workflow_id: workflowOf(ids), version: byId('1') }),
		sends: (ids) => ({ line: `GET /v3/workflows/${ids.workflow_id}/versions/1`, query: {} }),
	},
	'version.getMany': {
		before: aWorkflow,
		parameters: (ids) => ({ workflow_id: workflowOf(ids), ...few }),
		sends: (ids) => ({
			line: `GET /v3/workflows/${ids.workflow_id}/versions`,
			query: { limit: '3' },
		}),
	},
	'run.start': {
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
			...noWait,
			options: { version_number: 1 },
		}),
		sends: (ids) => ({
			line: 'POST /v3/workflow-runs',
			body: {
				workflow_id: ids.workflow_id,
				version_number: 1,
				inputs: {
					script: 'Hello',
					picture: { type: 'url', url: 'https://files.example/a.png' },
					colors: ['red', 'blue'],
				},
			},
		}),
		keyed: true,
	},
	'run.get': {
		before: aRun,
		parameters: (ids) => ({ run_id: runOf(ids) }),
		sends: (ids) => ({ line: `GET /v3/workflow-runs/${ids.run_id}`, query: {} }),
	},
	'run.getMany': firstRows('GET /v3/workflow-runs', aRun),
	'run.getNodes': {
		before: aRun,
		parameters: (ids) => ({ run_id: runOf(ids) }),
		sends: (ids) => ({ line: `GET /v3/workflow-runs/${ids.run_id}/nodes`, query: {} }),
	},
	'run.cancel': {
		before: aRun,
		parameters: (ids) => ({ run_id: runOf(ids) }),
		sends: (ids) => ({ line: `POST /v3/workflow-runs/${ids.run_id}/cancel`, body: null }),
	},
};

describeOperations('VideoGenWorkflow', resources, cases);
