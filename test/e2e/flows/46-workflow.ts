import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, errorText, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenWorkflow`;

const graph = (more: object = {}) =>
	JSON.stringify({
		schema_version: '1.0.0',
		inputs: { script: { type: 'text' }, picture: { type: 'image' } },
		nodes: [
			{
				id: 'paint',
				type: 'image',
				config: {},
				bindings: { input: { kind: 'run_input', name: 'script' } },
			},
		],
		outputs: { result: { node_id: 'paint', port: 'output' } },
		...more,
	});

export const flow: Flow = {
	name: 'a workflow of the service is built, changed, published and run with a picture of the item',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const name = `Poster ${randomUUID()}`;
		const workflowId = "={{ $('Build').first().json.id }}";
		const execution = await runDraft(
			context,
			chain('Build and run', [
				start,
				{
					name: 'Build',
					type,
					parameters: {
						resource: 'workflow',
						operation: 'create',
						name,
						product_graph: graph({ inputs: { script: { type: 'text' } } }),
					},
				},
				{
					name: 'Change',
					type,
					parameters: {
						resource: 'workflow',
						operation: 'update',
						workflow_id: byId(workflowId),
						product_graph: graph(),
						expected_revision: '={{ $json.draft_revision }}',
					},
				},
				{
					name: 'Publish',
					type,
					parameters: {
						resource: 'version',
						operation: 'publish',
						workflow_id: byId(workflowId),
						graphFrom: 'draft',
					},
				},
				{
					name: 'Create Video',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('look_001_1'),
						speechFrom: 'text',
						script: 'Hello there, this is a long enough text.',
						voice_id: byId('voice_001'),
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Picture',
					type: 'video',
					parameters: {
						operation: 'download',
						video_id: byId('={{ $json.id }}'),
						files: ['thumbnail'],
						binaryPropertyName: 'picture',
					},
				},
				{
					name: 'Run',
					type,
					parameters: {
						resource: 'run',
						operation: 'start',
						workflow_id: byId(workflowId),
						inputsFrom: 'form',
						inputs: {
							input: [
								{ name: 'script', kind: 'text', text: 'A poster of this' },
								{
									name: 'picture',
									kind: 'file',
									file: { __rl: true, mode: 'binary', value: 'picture' },
								},
							],
						},
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Nodes',
					type,
					parameters: {
						resource: 'run',
						operation: 'getNodes',
						run_id: byId('={{ $json.id }}'),
					},
				},
			]),
		);
		const [run] = succeeded(execution, 'Run');
		assert.equal(run?.json.status, 'succeeded');
		assert.deepEqual(run?.json.job, { kind: 'workflow_run', id: run?.json.id });
		const [version] = succeeded(execution, 'Publish');
		assert.equal(version?.json.version_number, 2);
		assert.equal(
			(run?.json.workflow as { version_number?: number }).version_number,
			2,
			'the version just published',
		);
		const [node] = succeeded(execution, 'Nodes');
		assert.equal(node?.json.node_id, 'paint');
		assert.equal(node?.json.status, 'succeeded');

		// The picture has reached the service, byte by byte.
		const request = simulator.control
			.requests({ method: 'POST', path: '/v3/workflow-runs' })
			.at(-1);
		const { inputs } = request?.body as {
			inputs: { script: string; picture: { type: string; asset_id: string } };
		};
		assert.equal(inputs.script, 'A poster of this');
		assert.equal(inputs.picture.type, 'asset_id');
		const headers = { 'x-api-key': simulator.apiKey };
		const asset = await fetch(`${simulator.baseUrl}/v3/assets/${inputs.picture.asset_id}`, {
			headers,
		});
		const { data } = (await asset.json()) as { data: { url: string } };
		const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer());
		const picture = readFileSync(join(projectRoot, 'simulator', 'media', 'thumbnail.jpg'));
		assert.ok(bytes.equals(picture), 'every byte of the picture');

		// The lists of the editor.
		const id = String(succeeded(execution, 'Build')[0]?.json.id);
		const list = async (method: string, path: string, filter?: string) =>
			await n8n.listSearch({
				type,
				path,
				method,
				filter,
				parameters: {
					authentication: 'apiKey',
					resource: 'version',
					operation: 'get',
					workflow_id: byId(id),
				},
				credentials: { videoGenApi: credential },
			});
		const workflows = await list('searchWorkflows', 'workflow_id', name);
		assert.deepEqual(
			workflows.results.map(({ value }) => value),
			[id],
		);
		const versions = await list('searchVersions', 'version');
		assert.deepEqual(versions.results.map(({ value }) => value).sort(), ['1', '2']);

		// Every problem of a graph, in one error.
		const broken = await runDraft(
			context,
			chain('Broken', [
				start,
				{
					name: 'Publish',
					type,
					parameters: {
						resource: 'version',
						operation: 'publish',
						workflow_id: byId(id),
						graphFrom: 'json',
						product_graph: graph({
							nodes: [
								{ id: 'one', type: 'no_such_type' },
								{ id: 'two', type: 'text', depends_on: ['three'] },
							],
							outputs: {},
						}),
					},
				},
			]),
		);
		assert.equal(broken.status, 'error');
		const text = errorText(broken);
		assert.match(text, /The workflow graph has problems/);
		assert.match(text, /unknown_node_type: .* \(one \/ nodes\.0\.type\)/);
		assert.match(text, /dangling_dependency: .* \(two \/ nodes\.1\)/);
	},
};
