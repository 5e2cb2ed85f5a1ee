import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { loadListPage } from '../support/contexts';
import { byId, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const graph: IDataObject = {
	schema_version: '1.0.0',
	inputs: { script: { type: 'text', required: false } },
	nodes: [{ id: 'write', type: 'text' }],
	outputs: { result: { node_id: 'write', port: 'output' } },
};

/** @param chosen `operation`, or `resource.operation` for another resource than workflow */
const workflow = async (chosen: string, parameters: INodeParameters, options?: RunOptions) => {
	const [operation = '', resource = 'workflow'] = chosen.split('.').reverse();
	return await runNode(
		service,
		'VideoGenWorkflow',
		{ resource, operation, ...parameters },
		options,
	);
};

async function create(name = 'Product video', product_graph = graph): Promise<string> {
	const { items, error } = await workflow('create', {
		name,
		product_graph: JSON.stringify(product_graph),
	});
	if (error) throw new Error(error.message);
	return String(items[0]?.json.workflow_id);
}

const sent = (method: string, pattern: RegExp) =>
	service.control.requests({ method, path: pattern });

describe('the draft', () => {
	const update = async (id: unknown, more: INodeParameters = {}) =>
		await workflow('update', {
			...{ workflow_id: byId(id), product_graph: JSON.stringify(graph), ...more },
		});

	test('gets the current revision first if none is set', async () => {
		const id = await create();
		for (const revision of [1, 2]) {
			const { items } = await update(id);
			expect(items[0]?.json.draft_revision).toBe(revision + 1);
			expect(sent('PATCH', /workflows/).at(-1)?.body).toEqual({
				product_graph: graph,
				expected_revision: revision,
			});
		}
		expect(sent('GET', /workflows/)).toHaveLength(2);
	});

	test('sends a set revision as it is, and an outdated one is an error with advice', async () => {
		const id = await create();
		const first = { expected_revision: '={{ 1 }}' };
		expect((await update(id, first)).error).toBeUndefined();
		const { error } = await update(id, first);
		expect(sent('GET', /workflows/)).toHaveLength(0);
		expect(error?.message).toContain('The draft has changed since you retrieved it');
		expect(error?.description).toMatch(
			/^Get workflow workflow_\w+ again and use its new draft_revision/,
		);
	});

	test.each(['-1', '1.5', 'one'])('rejects "%s" as a revision', async (expected_revision) => {
		const { error } = await update('any', { expected_revision });
		expect(error?.message).toContain('"Expected Revision" must be a whole number of 0 or more');
		expect(sent('PATCH', /workflows/)).toHaveLength(0);
	});

	test('rejects a graph without its required keys before any request', async () => {
		const { error } = await workflow('create', { name: 'Empty', product_graph: '{"nodes": []}' });
		expect(error?.message).toContain('"Graph (JSON) → schema_version" is required');
		expect(service.control.requests()).toHaveLength(0);
	});
});

describe('problems of a graph', () => {
	const broken = {
		schema_version: '1.0.0',
		nodes: [
			{ id: 'one', type: 'no_such_type', depends_on: ['nowhere'] },
			{ id: 'two', type: 'text', config: 'none' },
			{ id: 'left', type: 'text', depends_on: ['right'] },
			{ id: 'right', type: 'text', depends_on: ['left'] },
		],
		outputs: { result: { node_id: 'gone', port: 'output' } },
	};

	test('are all listed with their location', async () => {
		const { error } = await workflow('create', {
			name: 'Broken',
			product_graph: JSON.stringify(broken),
		});
		expect(error?.httpCode).toBe('422');
		expect(error?.message).toContain(
			'The workflow graph is not valid, so nothing was saved: The graph has 5 problems',
		);
		for (const line of [
			"Correct the problems below in the node's graph",
			'• unknown_node_type: There is no node type no_such_type (one / nodes.0.type)',
			'• dangling_dependency: There is no node nowhere (one / nodes.0)',
			'• invalid_config: config must be an object (two / nodes.1.config)',
			'• dangling_dependency: There is no node gone (outputs.result)',
			'• cycle_detected: The graph runs in a circle (left / nodes)',
			'Code: graph_invalid',
		]) {
			expect(error?.description).toContain(line);
		}
	});

	test('include the port, and are data with Continue On Fail', async () => {
		const errors = [
			{
				...{ code: 'type_mismatch', message: 'Takes an image', node_id: 'write' },
				...{ port: 'input', path: 'nodes.0.bindings.input' },
			},
			{ code: 'node_type_unavailable', message: 'Is switched off', node_id: 'paint' },
		];
		const body = { error: { code: 'graph_invalid', message: 'Two problems', errors } };
		service.control.fail({ method: 'POST', path: /versions$/, status: 422, body });
		const { items } = await workflow(
			'version.publish',
			{ workflow_id: byId('any'), graphFrom: 'json', product_graph: JSON.stringify(graph) },
			{ node: { onError: 'continueRegularOutput' } },
		);
		const details = items[0]?.json.details as IDataObject;
		expect(details.errors).toEqual(errors);
		expect(details.description).toContain(
			'• type_mismatch: Takes an image (write / input / nodes.0.bindings.input)',
		);
		expect(details.description).toContain('• node_type_unavailable: Is switched off (paint)');
	});
});

describe('versions', () => {
	test('publishing the same draft twice returns the same version', async () => {
		const id = await create();
		const publish = async () => {
			const draft = { workflow_id: byId(id), graphFrom: 'draft' };
			return (await workflow('version.publish', draft)).items[0]?.json;
		};
		// Create has already published it.
		expect(await publish()).toMatchObject({ version_number: 1 });
		const draft = { ...graph, inputs: {} };
		await workflow('update', { workflow_id: byId(id), product_graph: JSON.stringify(draft) });
		const second = await publish();
		expect(second).toMatchObject({ version_number: 2, product_graph: draft });
		expect(await publish()).toEqual(second);
		expect(sent('POST', /versions$/).map(({ body }) => body)).toEqual([
			{ product_graph: graph },
			{ product_graph: draft },
			{ product_graph: draft },
		]);
	});

	test('node types are one item per family, or one per variant', async () => {
		const perFamily = await workflow('getNodeTypes', {});
		expect(perFamily.items.length).toBeGreaterThan(1);
		expect(perFamily.items[0]?.json).toMatchObject({
			family: expect.any(String),
			variants: [expect.objectContaining({ variant: expect.any(String) })],
		});
	});
});

describe('lists', () => {
	const look = async (method: string, parameters: INodeParameters = {}, filter?: string) =>
		(await loadListPage(service, 'VideoGenWorkflow', method, { filter, parameters })).results;

	test('searches workflows by name', async () => {
		const id = await create('Trailer');
		await create('Product video');
		expect(await look('searchWorkflows', {}, 'TRAIL')).toEqual([
			{ name: 'Trailer (active)', value: id, url: undefined },
		]);
		expect(await look('searchWorkflows')).toHaveLength(2);
	});

	test('lists the versions of the selected workflow', async () => {
		const id = await create();
		await workflow('version.publish', {
			workflow_id: byId(id),
			graphFrom: 'json',
			product_graph: JSON.stringify({ ...graph, inputs: {} }),
		});
		const chosen = { resource: 'version', operation: 'get', workflow_id: byId(id) };
		const found = await look('searchVersions', chosen);
		expect(found.map(({ name, value }) => [name, value]).sort()).toEqual([
			['Version 1', '1'],
			['Version 2', '2'],
		]);
		expect(await look('searchVersions', chosen, 'version 2')).toHaveLength(1);
		expect(await look('searchVersions', { ...chosen, workflow_id: byId('') })).toEqual([]);
	});

	test('shows runs with time and status', async () => {
		const id = await create();
		const { items } = await workflow('run.start', {
			workflow_id: byId(id),
			waitForCompletion: false,
		});
		const [found] = await look('searchRuns');
		expect(found?.value).toBe(items[0]?.json.run_id);
		expect(found?.name).toMatch(/^\d{4}-\d\d-\d\dT.* \(succeeded, /);
	});
});

test('does not send empty inputs', async () => {
	const id = await create('Without inputs', { ...graph, inputs: {} } as typeof graph);
	await workflow('run.start', {
		workflow_id: byId(id),
		inputsFrom: 'json',
		inputs_json: '{}',
		waitForCompletion: false,
	});
	expect(sent('POST', /workflow-runs/)[0]?.body).toEqual({ workflow_id: id });
});

describe('runs', () => {
	const start = async (parameters: INodeParameters = {}, options?: RunOptions) =>
		await workflow(
			'run.start',
			{ inputsFrom: 'form', waitForCompletion: true, options: { pollInterval: 1 }, ...parameters },
			options,
		);

	test('a partly successful run is a result', async () => {
		const data = { status: 'partial', error: { code: 'x', message: 'y' } };
		service.control.fail({ method: 'GET', path: /workflow-runs/, status: 200, body: { data } });
		const { items, error } = await start({ workflow_id: byId(await create()) });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ status: 'partial', error: { code: 'x' } });
	});

	test('a canceled run (with one l) ends the wait', async () => {
		const id = await create();
		service.control.holdJobs(true);
		const { items } = await start({ workflow_id: byId(id), waitForCompletion: false });
		const run = byId(items[0]?.json.run_id);
		const canceled = await workflow('run.cancel', { run_id: run });
		service.control.holdJobs(false);
		expect(canceled.items[0]?.json.status).toBe('canceled');
		const { run_id: _, ...data } = canceled.items[0]?.json ?? {};
		const body = { data };
		service.control.fail({ method: 'GET', path: /workflow-runs/, status: 200, body });
		const { error } = await start({ workflow_id: byId(id) });
		expect(error?.message).toContain('The workflow run was canceled');
	});

	test.each([
		['an entry without a value', [{ name: 'script', kind: 'text', text: '' }], 'has no value'],
		[
			'a name given twice',
			[
				{ name: 'script', kind: 'text', text: 'a' },
				{ name: 'script', kind: 'text', text: 'b' },
			],
			'has "script" twice',
		],
		[
			'more than 1 MiB',
			[{ name: 'script', kind: 'text', text: 'é'.repeat(1_000_000) }],
			'must have at most 1,048,576 bytes (1 MiB)',
		],
	])('rejects %s before any request', async (_, input, complaint) => {
		const { error } = await start({ workflow_id: byId('any'), inputs: { input } });
		expect(error?.message).toContain('"Inputs');
		expect(error?.message).toContain(complaint);
		expect(service.control.requests()).toHaveLength(0);
	});
});
