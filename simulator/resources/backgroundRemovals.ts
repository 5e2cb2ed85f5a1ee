import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { stopJob, startRowJob } from '../jobs';
import { createMediaUrl } from '../media';
import { requireAsset } from '../references';
import type { BackgroundRemoval } from '../rows';
import type { Service } from '../service';
import { findRow, createId } from '../store';

const layerNames = ['foreground', 'mask', 'background'] as const;

export function registerBackgroundRemovals(route: Route, service: Service) {
	const findRemoval = (id: string | undefined) =>
		findRow(service.state.removals, id, 'Background removal');

	const viewRemoval = (row: BackgroundRemoval) => {
		const isDone = row.status === 'completed';
		const layers = isDone ? row.layers : [];
		return {
			id: row.id,
			status: row.status,
			layers: Object.fromEntries(
				layers.map((layer) => [layer, createMediaUrl(service, `${row.id}_${layer}`, 'video.webm')]),
			),
			duration: isDone ? 2 : null,
			created_at: Math.floor(row.created),
			completed_at: row.completed === null ? null : Math.floor(row.completed),
			error: row.failure?.message ?? null,
		};
	};

	route('POST /v3/background-removals', { needs: 'generation' }, ({ body }) => {
		requireAsset(service, body.video, 'video');
		// `request_id` in the body replaces the idempotency header here.
		const existing = [...service.state.removals.values()].find(
			({ requestId }) => body.request_id && requestId === body.request_id,
		);
		const row =
			existing ??
			startRowJob(service, 'background_removal', service.state.removals, {
				id: createId('removal_'),
				statuses: { waiting: 'pending', running: 'processing' },
				fields: { layers: body.layers ?? layerNames, requestId: body.request_id ?? null },
			});
		return respond(viewRemoval(row));
	});

	route('GET /v3/background-removals', ({ query }) =>
		respondWithPage(service, 'removals', service.state.removals.values(), query, viewRemoval),
	);

	route('GET /v3/background-removals/{job_id}', ({ params }) =>
		respond(viewRemoval(findRemoval(params.job_id))),
	);

	route('DELETE /v3/background-removals/{job_id}', ({ params }) => {
		const row = findRemoval(params.job_id);
		stopJob(service, row.id);
		// A deleted job stays readable.
		row.status = 'deleted';
		return respond({ id: row.id, deleted: true });
	});
}
