import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isoTime } from '../deliver';
import { invalid, missing, problem } from '../errors';
import { findPlain, plainTable, startPlain, type Plain } from '../jobs';
import { ok, page, paging, route } from '../route';
import { add, newId, tableOf, type Row, type Service, type Table } from '../store';

const NAME = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;
const name = z.string().regex(NAME, 'starts with a letter, then letters, digits and _');

const graphSchema = z
	.object({
		schema_version: z.literal('1.0.0'),
		inputs: z
			.record(
				z
					.object({
						type: z.enum(['text', 'json', 'video', 'image', 'audio', 'avatar']),
						required: z.boolean().optional(),
					})
					.strict(),
			)
			.optional(),
		nodes: z
			.array(
				z
					.object({
						id: name,
						type: z.string().min(1),
						variant: z.string().optional(),
						config: z.unknown().optional(),
						depends_on: z.array(z.string()).optional(),
						bindings: z.record(z.object({ kind: z.string() }).passthrough()).optional(),
					})
					.strict(),
			)
			.optional(),
		outputs: z
			.record(z.object({ node_id: z.string(), port: z.string().optional() }).strict())
			.optional(),
	})
	.strict();

type Graph = z.infer<typeof graphSchema>;

interface Workflow extends Row {
	name: string;
	status: 'draft' | 'active' | 'archived';
	revision: number;
	graph: Graph;
	meta: unknown;
	versions: Version[];
}

interface Version extends Row {
	number: number;
	checksum: string;
	graph: Graph;
}

// The service's own family names are unknown; these are invented.
const FAMILIES = ['text', 'voice', 'video', 'image'];

const listNodeTypes = () =>
	FAMILIES.map((family) => ({
		family,
		display_name: family[0]?.toUpperCase() + family.slice(1),
		variants: [
			{
				variant: 'standard',
				display_name: 'Standard',
				description: `Makes ${family}`,
				category: 'generation',
				config_schema: { type: 'object' },
				input_ports: [
					{ name: 'input', type: 'text', required: false, description: 'What to make' },
				],
				output_ports: [
					{ name: 'output', type: family, required: true, description: 'What was made' },
				],
				contract_version: '1',
				lifecycle: 'available',
			},
		],
	}));

/** The shape alone; drafts need no more than that. */
function readGraph(value: unknown): Graph {
	const result = graphSchema.safeParse(value);
	if (result.success) return result.data;
	throw graphProblem(
		result.error.issues.map((issue) => ({
			code: 'invalid_config',
			message: issue.message,
			node_id: null,
			port: null,
			path: issue.path.join('.'),
		})),
	);
}

const graphProblem = (errors: unknown[]) =>
	problem(422, 'graph_invalid', `The graph has ${errors.length} problems`, 'product_graph', {
		errors,
	});

/** Everything that keeps a graph from running, in one pass. */
function checkGraph(graph: Graph) {
	const nodes = graph.nodes ?? [];
	const ids = new Set(nodes.map(({ id }) => id));
	const errors: unknown[] = [];
	const add = (code: string, message: string, node: string | null, path: string) =>
		errors.push({ code, message, node_id: node, port: null, path });
	const needs = new Map<string, string[]>();
	nodes.forEach((node, index) => {
		const path = `nodes.${index}`;
		if (!FAMILIES.includes(node.type)) {
			add('unknown_node_type', `There is no node type ${node.type}`, node.id, `${path}.type`);
		}
		if (node.config !== undefined && (typeof node.config !== 'object' || node.config === null)) {
			add('invalid_config', 'config must be an object', node.id, `${path}.config`);
		}
		const sources = Object.values(node.bindings ?? {}).flatMap((binding) =>
			binding.kind === 'node_output' ? [String(binding.node_id)] : [],
		);
		const wanted = [...(node.depends_on ?? []), ...sources];
		needs.set(node.id, wanted);
		for (const other of wanted) {
			if (!ids.has(other)) add('dangling_dependency', `There is no node ${other}`, node.id, path);
		}
	});
	for (const [output, { node_id }] of Object.entries(graph.outputs ?? {})) {
		if (!ids.has(node_id)) {
			add('dangling_dependency', `There is no node ${node_id}`, null, `outputs.${output}`);
		}
	}
	const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
		(needs.get(from) ?? []).some(
			(next) => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
		);
	const circular = [...ids].find((id) => reaches(id, id));
	if (circular) add('cycle_detected', 'The graph runs in a circle', circular, 'nodes');
	if (errors.length > 0) throw graphProblem(errors);
}

const checksum = (graph: Graph) => createHash('sha256').update(JSON.stringify(graph)).digest('hex');

export function registerWorkflows(app: FastifyInstance, service: Service) {
	const read = { scope: 'workflows:read' };
	const write = { scope: 'workflows:write' };
	const table = () => tableOf(service.state, 'workflow') as Table<Workflow>;

	const find = (id: string | undefined) => {
		const workflow = table().get(id ?? '');
		if (!workflow) throw missing('resource_not_found', `Workflow ${id}`);
		return workflow;
	};

	const item = (workflow: Workflow) => ({
		id: workflow.id,
		name: workflow.name,
		status: workflow.status,
		draft_revision: workflow.revision,
	});

	const view = (workflow: Workflow) => ({
		...item(workflow),
		draft_product_graph: workflow.graph,
		meta: workflow.meta ?? null,
	});

	const versionItem = (version: Version) => ({
		id: version.id,
		version_number: version.number,
		checksum: version.checksum,
	});

	const viewVersion = (workflow: Workflow, version: Version) => ({
		...versionItem(version),
		definition_id: workflow.id,
		compiler_version: '1.0.0',
		adapter_manifest_digest: checksum(version.graph),
		product_graph: version.graph,
		plan_summary: (version.graph.nodes ?? []).map((node) => ({
			node_id: node.id,
			family: node.type,
			variant: node.variant ?? 'standard',
			contract_version: '1',
			adapter_version: '1',
			parents: node.depends_on ?? [],
		})),
	});

	function publish(workflow: Workflow, graph: Graph) {
		checkGraph(graph);
		const latest = workflow.versions.at(-1);
		if (latest?.checksum === checksum(graph)) return { version: latest, fresh: false };
		const version = add<Version>(service.state, new Map(), {
			id: newId('version_'),
			number: (latest?.number ?? 0) + 1,
			checksum: checksum(graph),
			graph,
		});
		workflow.versions.push(version);
		return { version, fresh: true };
	}

	route(
		app,
		service,
		'POST /v3/workflows',
		{
			...write,
			body: z
				.object({
					name: z.string().min(1).max(256),
					product_graph: z.unknown(),
					meta: z.unknown().optional(),
				})
				.strict(),
		},
		({ body }) => {
			const graph = readGraph(body.product_graph);
			checkGraph(graph);
			for (const other of table().values()) {
				if (other.name === body.name) {
					throw problem(409, 'conflict', `A workflow named ${body.name} exists`, 'name');
				}
			}
			const workflow = add<Workflow>(service.state, table(), {
				id: newId('workflow_'),
				name: body.name,
				status: 'active',
				revision: 1,
				graph,
				meta: body.meta,
				versions: [],
			});
			const { version } = publish(workflow, graph);
			return ok({
				...view(workflow),
				latest_version: { id: version.id, version_number: version.number },
			});
		},
	);

	route(
		app,
		service,
		'GET /v3/workflows',
		{ ...read, query: z.object(paging(10)).strict() },
		({ query }) => page(service, 'workflows', table().values(), query, item),
	);

	route(app, service, 'GET /v3/workflows/node-types', read, () =>
		ok({ families: listNodeTypes() }),
	);

	route(app, service, 'GET /v3/workflows/{workflow_id}', read, ({ params }) =>
		ok(view(find(params.workflow_id))),
	);

	route(
		app,
		service,
		'PATCH /v3/workflows/{workflow_id}',
		{
			...write,
			body: z
				.object({ product_graph: z.unknown(), expected_revision: z.number().int().min(0) })
				.strict(),
		},
		({ params, body }) => {
			const workflow = find(params.workflow_id);
			if (workflow.status === 'archived') {
				throw problem(409, 'workflow_archived', 'The workflow is archived');
			}
			if (workflow.revision !== body.expected_revision) {
				throw problem(
					409,
					'stale_workflow_draft',
					`The draft is at revision ${workflow.revision}`,
					'expected_revision',
				);
			}
			workflow.graph = readGraph(body.product_graph);
			workflow.revision += 1;
			return ok(view(workflow));
		},
	);

	route(
		app,
		service,
		'POST /v3/workflows/{workflow_id}/versions',
		{ ...write, body: z.object({ product_graph: z.unknown() }).strict() },
		({ params, body }) => {
			const workflow = find(params.workflow_id);
			const { version, fresh } = publish(workflow, readGraph(body.product_graph));
			return ok(viewVersion(workflow, version), fresh ? 201 : 200);
		},
	);

	route(
		app,
		service,
		'GET /v3/workflows/{workflow_id}/versions',
		{ ...read, query: z.object(paging(10)).strict() },
		({ params, query }) => {
			const workflow = find(params.workflow_id);
			return page(service, `${workflow.id} versions`, workflow.versions, query, versionItem);
		},
	);

	route(app, service, 'GET /v3/workflows/{workflow_id}/versions/{version}', read, ({ params }) => {
		const workflow = find(params.workflow_id);
		const version = workflow.versions.find(
			({ id, number }) => id === params.version || String(number) === params.version,
		);
		if (!version) throw missing('resource_not_found', `Version ${params.version}`);
		return ok(viewVersion(workflow, version));
	});

	registerRuns(app, service, find);
}

const RUN = 'workflow_run';

function registerRuns(
	app: FastifyInstance,
	service: Service,
	findWorkflow: (id: string | undefined) => Workflow,
) {
	const read = { scope: 'workflows:read' };
	const write = { scope: 'workflows:write' };
	const find = (id: string | undefined) => findPlain(service, RUN, id, 'resource_not_found');
	const graphOf = (row: Plain) => row.fields.graph as Graph;

	const view = (row: Plain) => {
		const nodes = graphOf(row).nodes ?? [];
		return {
			id: row.id,
			workflow: row.fields.workflow,
			status: row.status,
			// Unlike the rest of v3, runs have their times as ISO text.
			created_at: isoTime(row.created),
			started_at: row.status === 'pending' ? null : isoTime(row.created),
			completed_at: row.completed === null ? null : isoTime(row.completed),
			progress: {
				total: nodes.length,
				...Object.fromEntries(
					['pending', 'processing', 'succeeded', 'failed', 'skipped', 'canceled'].map((status) => [
						status,
						status === row.status ? nodes.length : 0,
					]),
				),
			},
			error: row.failure,
			outputs: Object.keys(graphOf(row).outputs ?? {}).map((output) => ({
				name: output,
				status: row.status === 'succeeded' ? 'ready' : row.failure ? 'failed' : 'pending',
				...(row.status === 'succeeded'
					? { type: 'text', delivery: 'inline', value: 'What the run made' }
					: {}),
			})),
		};
	};

	route(
		app,
		service,
		'POST /v3/workflow-runs',
		{
			...write,
			body: z
				.object({
					workflow_id: z.string().min(1),
					version_number: z.number().int().min(1).optional(),
					inputs: z.record(z.unknown()).optional(),
				})
				.strict(),
		},
		({ body, request }) => {
			// Here the key is required, never forgotten, and bound to its body.
			const key = request.headers['idempotency-key'];
			if (typeof key !== 'string' || key === '') {
				throw invalid('Idempotency-Key', 'Runs need an Idempotency-Key header');
			}
			const digest = JSON.stringify(body);
			const repeated = [...plainTable(service, RUN).values()].find(
				({ fields }) => fields.key === key,
			);
			if (repeated) {
				if (repeated.fields.digest !== digest) {
					throw problem(409, 'conflict', 'This key was used with another body');
				}
				return ok(view(repeated));
			}
			const workflow = findWorkflow(body.workflow_id);
			if (workflow.status === 'archived') {
				throw problem(409, 'workflow_archived', 'The workflow is archived');
			}
			const version =
				body.version_number === undefined
					? workflow.versions.at(-1)
					: workflow.versions.find(({ number }) => number === body.version_number);
			if (!version) throw missing('resource_not_found', 'This version', 'version_number');
			for (const [input, { required }] of Object.entries(version.graph.inputs ?? {})) {
				if (required !== false && body.inputs?.[input] === undefined) {
					throw invalid(`inputs.${input}`, `The workflow needs the input ${input}`);
				}
			}
			const row = startPlain(service, RUN, {
				prefix: 'run_',
				statuses: { waiting: 'pending', running: 'processing', done: 'succeeded' },
				fields: {
					key,
					digest,
					graph: version.graph,
					workflow: { id: workflow.id, version_id: version.id, version_number: version.number },
				},
			});
			return ok(view(row));
		},
	);

	route(
		app,
		service,
		'GET /v3/workflow-runs',
		{ ...read, query: z.object(paging(10)).strict() },
		({ query }) =>
			page(service, 'runs', plainTable(service, RUN).values(), query, (row) => ({
				id: row.id,
				version_id: (row.fields.workflow as { version_id: string }).version_id,
				status: row.status,
				created_at: isoTime(row.created),
			})),
	);

	route(app, service, 'GET /v3/workflow-runs/{run_id}', read, ({ params }) =>
		ok(view(find(params.run_id))),
	);

	route(app, service, 'GET /v3/workflow-runs/{run_id}/nodes', read, ({ params }) => {
		const row = find(params.run_id);
		const data = (graphOf(row).nodes ?? []).map((node) => ({
			node_id: node.id,
			status: row.status,
			node_type: node.type,
			started_at: row.status === 'pending' ? null : isoTime(row.created),
			completed_at: row.completed === null ? null : isoTime(row.completed),
			error: row.failure,
		}));
		return { status: 200, body: { data, has_more: false, next_token: null } };
	});

	route(app, service, 'POST /v3/workflow-runs/{run_id}/cancel', write, ({ params }) => {
		const row = find(params.run_id);
		const job = service.state.jobs.get(row.id);
		if (job && !job.ended) {
			job.ended = true;
			row.status = 'canceled';
		}
		return ok(view(row));
	});
}
