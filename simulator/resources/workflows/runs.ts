import { toIsoTime } from '../../deliveries';
import { createInvalidParameterError, createNotFoundError, createError } from '../../errors';
import { respond, respondWithList } from '../../http/responses';
import { respondWithPage } from '../../http/pagination';
import type { Route } from '../../http/route';
import { stopJob, startRowJob } from '../../jobs';
import type { WorkflowRun } from '../../rows';
import type { Service } from '../../service';
import { findRow, createId } from '../../store';
import { listVersions } from './graphs';

const mediaTypes = ['video', 'image', 'audio'];
const nodeStatuses = ['pending', 'processing', 'succeeded', 'failed', 'skipped', 'canceled'];

export function registerRuns(route: Route, service: Service) {
	const findRun = (id: string | undefined) =>
		findRow(service.state.runs, id, 'Workflow run', 'resource_not_found');

	/** Unlike the rest of v3, runs have ISO timestamps. */
	const viewTimes = (row: WorkflowRun) => ({
		started_at: row.status === 'pending' ? null : toIsoTime(row.created),
		completed_at: row.completed === null ? null : toIsoTime(row.completed),
	});

	/** Throws 409 if a media input refers to an asset that is not ready. It is an id or an asset input. */
	const requireArtifact = (value: unknown, param: string) => {
		const id =
			typeof value === 'string' ? value : (value as { asset_id?: string } | undefined)?.asset_id;
		if (id !== undefined && service.state.assets.get(id)?.status !== 'ready') {
			throw createError(409, 'artifact_unavailable', `Asset ${id} is not available`, param);
		}
	};

	const viewRun = (row: WorkflowRun) => {
		const nodes = row.version.graph.nodes ?? [];
		return {
			id: row.id,
			workflow: {
				id: row.version.workflowId,
				version_id: row.version.id,
				version_number: row.version.number,
			},
			status: row.status,
			created_at: toIsoTime(row.created),
			...viewTimes(row),
			progress: {
				total: nodes.length,
				...Object.fromEntries(
					nodeStatuses.map((status) => [status, status === row.status ? nodes.length : 0]),
				),
			},
			error: row.failure,
			outputs: Object.keys(row.version.graph.outputs ?? {}).map((output) => ({
				name: output,
				status: row.status === 'succeeded' ? 'ready' : row.failure ? 'failed' : 'pending',
				...(row.status === 'succeeded'
					? { type: 'text', delivery: 'inline', value: 'What the run made' }
					: {}),
			})),
		};
	};

	route('POST /v3/workflow-runs', { needs: 'generation' }, ({ body, request }) => {
		// For runs the key is required, never expires, and is valid for one body only.
		const key = request.headers['idempotency-key'];
		if (typeof key !== 'string' || key === '') {
			throw createInvalidParameterError('Idempotency-Key', 'Runs need an Idempotency-Key header');
		}
		const text = JSON.stringify(body);
		const existing = [...service.state.runs.values()].find((run) => run.key === key);
		if (existing && existing.body !== text) {
			throw createError(409, 'conflict', 'This key was used with another body');
		}
		if (existing) return respond(viewRun(existing));
		const { workflows, runs } = service.state;
		const workflow = findRow(workflows, body.workflow_id, 'Workflow', 'resource_not_found');
		if (workflow.status === 'archived') {
			throw createError(409, 'workflow_archived', 'The workflow is archived');
		}
		const version = listVersions(service, workflow).findLast(
			({ number }) => body.version_number === undefined || number === body.version_number,
		);
		if (!version) throw createNotFoundError('resource_not_found', 'This version', 'version_number');
		for (const [input, { required, type }] of Object.entries(version.graph.inputs ?? {})) {
			if (required !== false && body.inputs?.[input] === undefined) {
				throw createInvalidParameterError(
					`inputs.${input}`,
					`The workflow needs the input ${input}`,
				);
			}
			if (mediaTypes.includes(type)) requireArtifact(body.inputs?.[input], `inputs.${input}`);
		}
		const activeRuns = [...runs.values()].filter(
			({ completed, status }) => completed === null && status !== 'canceled',
		);
		if (activeRuns.length >= service.state.workspace.runsAtOnce) {
			throw createError(409, 'workflow_run_admission_refused', 'Too many runs are in progress');
		}
		const row = startRowJob(service, 'workflow_run', runs, {
			id: createId('run_'),
			statuses: { waiting: 'pending', running: 'processing', done: 'succeeded' },
			fields: { key, body: text, version },
		});
		return respond(viewRun(row));
	});

	route('GET /v3/workflow-runs', ({ query }) =>
		respondWithPage(service, 'runs', service.state.runs.values(), query, (row) => ({
			id: row.id,
			version_id: row.version.id,
			status: row.status,
			created_at: toIsoTime(row.created),
		})),
	);

	route('GET /v3/workflow-runs/{run_id}', ({ params }) => respond(viewRun(findRun(params.run_id))));

	route('GET /v3/workflow-runs/{run_id}/nodes', ({ params }) => {
		const row = findRun(params.run_id);
		return respondWithList(
			(row.version.graph.nodes ?? []).map((node) => ({
				node_id: node.id,
				status: row.status,
				node_type: node.type,
				...viewTimes(row),
				error: row.failure,
			})),
		);
	});

	route('POST /v3/workflow-runs/{run_id}/cancel', ({ params }) => {
		const row = findRun(params.run_id);
		if (stopJob(service, row.id)) row.status = 'canceled';
		return respond(viewRun(row));
	});
}
