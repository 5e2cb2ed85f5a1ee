import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { findPlain, plainTable, startPlain, type Plain } from '../jobs';
import { mediaUrl } from '../media';
import { requireAsset } from '../references';
import { ok, page, paging, route } from '../route';
import { assetInput, optionalText } from '../schemas';
import type { Service } from '../store';

const KIND = 'background_removal';
const LAYERS = ['foreground', 'mask', 'background'] as const;

export function registerBackgroundRemovals(app: FastifyInstance, service: Service) {
	const read = { scope: 'videos:read' };
	const write = { scope: 'videos:write' };
	const table = () => plainTable(service, KIND);

	const view = (row: Plain) => {
		const done = row.status === 'completed';
		const layers = done ? (row.fields.layers as string[]) : [];
		return {
			id: row.id,
			status: row.status,
			layers: Object.fromEntries(
				layers.map((layer) => [layer, mediaUrl(service, `${row.id}_${layer}`, 'video.webm')]),
			),
			duration: done ? 2 : null,
			created_at: Math.floor(row.created),
			completed_at: row.completed === null ? null : Math.floor(row.completed),
			error: row.failure?.message ?? null,
		};
	};

	route(
		app,
		service,
		'POST /v3/background-removals',
		{
			...write,
			body: z
				.object({
					video: assetInput,
					layers: z.array(z.enum(LAYERS)).min(1).optional(),
					title: optionalText,
					request_id: z.string().min(1).nullish(),
				})
				.strict(),
		},
		({ body }) => {
			requireAsset(service, body.video, 'video');
			// This create is made safe to repeat by a field of its body, not by a header.
			const repeated = [...table().values()].find(
				({ fields }) => body.request_id && fields.request_id === body.request_id,
			);
			const row =
				repeated ??
				startPlain(service, KIND, {
					prefix: 'removal_',
					statuses: { waiting: 'pending', running: 'processing' },
					fields: { layers: body.layers ?? LAYERS, request_id: body.request_id },
				});
			return ok(view(row));
		},
	);

	route(
		app,
		service,
		'GET /v3/background-removals',
		{ ...read, query: z.object(paging(10)).strict() },
		({ query }) => page(service, 'removals', table().values(), query, view),
	);

	route(app, service, 'GET /v3/background-removals/{job_id}', read, ({ params }) =>
		ok(view(findPlain(service, KIND, params.job_id))),
	);

	route(app, service, 'DELETE /v3/background-removals/{job_id}', write, ({ params }) => {
		const row = findPlain(service, KIND, params.job_id);
		const job = service.state.jobs.get(row.id);
		if (job) job.ended = true;
		// Deletion is soft: the job stays readable, in a state of its own.
		row.status = 'deleted';
		return ok({ id: row.id, deleted: true });
	});
}
