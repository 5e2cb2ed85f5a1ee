import { createNotFoundError, createError } from '../../errors';
import { respond } from '../../http/responses';
import { respondWithPage } from '../../http/pagination';
import type { Route } from '../../http/route';
import type { Workflow, WorkflowGraph, WorkflowVersion } from '../../rows';
import type { Service } from '../../service';
import { addRow, findRow, createId } from '../../store';
import { checkGraph, createChecksum, listNodeTypes, rejectGraph, listVersions } from './graphs';

export function registerWorkflows(route: Route, service: Service) {
	const findWorkflow = (id: string | undefined) =>
		findRow(service.state.workflows, id, 'Workflow', 'resource_not_found');

	const viewSummary = (workflow: Workflow) => ({
		id: workflow.id,
		name: workflow.name,
		status: workflow.status,
		draft_revision: workflow.revision,
	});

	const viewWorkflow = (workflow: Workflow) => ({
		...viewSummary(workflow),
		draft_product_graph: workflow.graph,
		meta: workflow.meta ?? null,
	});

	const viewVersionSummary = (version: WorkflowVersion) => ({
		id: version.id,
		version_number: version.number,
		checksum: version.checksum,
	});

	const viewVersion = (version: WorkflowVersion) => ({
		...viewVersionSummary(version),
		definition_id: version.workflowId,
		compiler_version: '1.0.0',
		adapter_manifest_digest: createChecksum(version.graph),
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

	function publishVersion(workflow: Workflow, graph: WorkflowGraph) {
		checkGraph(graph);
		const latest = listVersions(service, workflow).at(-1);
		if (latest?.checksum === createChecksum(graph)) return { version: latest, fresh: false };
		const version = addRow(service.state, service.state.versions, {
			id: createId('version_'),
			workflowId: workflow.id,
			number: (latest?.number ?? 0) + 1,
			checksum: createChecksum(graph),
			graph,
		});
		return { version, fresh: true };
	}

	route('POST /v3/workflows', { rejectBody: rejectGraph }, ({ body }) => {
		const graph = body.product_graph;
		checkGraph(graph);
		for (const other of service.state.workflows.values()) {
			if (other.name === body.name) {
				throw createError(409, 'conflict', `A workflow named ${body.name} exists`, 'name');
			}
		}
		const workflow = addRow<Workflow>(service.state, service.state.workflows, {
			id: createId('workflow_'),
			name: body.name,
			status: 'active',
			revision: 1,
			graph,
			meta: body.meta,
		});
		const { version } = publishVersion(workflow, graph);
		return respond({
			...viewWorkflow(workflow),
			latest_version: { id: version.id, version_number: version.number },
		});
	});

	route('GET /v3/workflows', ({ query }) =>
		respondWithPage(service, 'workflows', service.state.workflows.values(), query, viewSummary),
	);

	route('GET /v3/workflows/node-types', () => respond({ families: listNodeTypes() }));

	route('GET /v3/workflows/{workflow_id}', ({ params }) =>
		respond(viewWorkflow(findWorkflow(params.workflow_id))),
	);

	route('PATCH /v3/workflows/{workflow_id}', { rejectBody: rejectGraph }, ({ params, body }) => {
		const workflow = findWorkflow(params.workflow_id);
		if (workflow.status === 'archived') {
			throw createError(409, 'workflow_archived', 'The workflow is archived');
		}
		if (workflow.revision !== body.expected_revision) {
			throw createError(
				409,
				'stale_workflow_draft',
				`The draft is at revision ${workflow.revision}`,
				'expected_revision',
			);
		}
		workflow.graph = body.product_graph;
		workflow.revision += 1;
		return respond(viewWorkflow(workflow));
	});

	route(
		'POST /v3/workflows/{workflow_id}/versions',
		{ rejectBody: rejectGraph },
		({ params, body }) => {
			const workflow = findWorkflow(params.workflow_id);
			const { version, fresh: isNew } = publishVersion(workflow, body.product_graph);
			return respond(viewVersion(version), isNew ? 201 : 200);
		},
	);

	route('GET /v3/workflows/{workflow_id}/versions', ({ params, query }) => {
		const workflow = findWorkflow(params.workflow_id);
		return respondWithPage(
			service,
			`${workflow.id} versions`,
			listVersions(service, workflow),
			query,
			viewVersionSummary,
		);
	});

	route('GET /v3/workflows/{workflow_id}/versions/{version}', ({ params }) => {
		const workflow = findWorkflow(params.workflow_id);
		const version = listVersions(service, workflow).find(
			({ id, number }) => id === params.version || String(number) === params.version,
		);
		if (!version) throw createNotFoundError('resource_not_found', `Version ${params.version}`);
		return respond(viewVersion(version));
	});
}
