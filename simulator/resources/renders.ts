import { createError } from '../errors';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { deleteJobRow, startRowJob } from '../jobs';
import { createMediaUrl, buildPublicUrl } from '../media';
import { requireAsset, requirePlan } from '../references';
import type { CompositionRender } from '../rows';
import type { Schemas } from '../requestTypes';
import type { Service } from '../service';
import { findRow, createId } from '../store';

const legacyResolutions = [
	'landscape',
	'landscape-4k',
	'portrait',
	'portrait-4k',
	'square',
	'square-4k',
];

const zipMagic = 'PK';
const maxProjectBytes = 200 * 1024 * 1024;

export function registerRenders(route: Route, service: Service) {
	const findRender = (id: string | undefined) =>
		findRow(service.state.renders, id, 'Composition render', 'hyperframes_render_not_found');

	const viewRender = (row: CompositionRender) => {
		const isDone = row.status === 'completed';
		const fileName = row.settings.format === 'webm' ? 'video.webm' : 'video.mp4';
		return {
			render_id: row.id,
			status: row.status,
			title: row.title,
			callback_id: row.callbackId,
			...row.settings,
			video_url: isDone ? createMediaUrl(service, row.id, fileName) : null,
			thumbnail_url: isDone ? buildPublicUrl(service.baseUrl, row.id, 'thumbnail.jpg') : null,
			duration: isDone ? 2 : null,
			created_at: Math.floor(row.created),
			completed_at: row.completed === null ? null : Math.floor(row.completed),
			failure_message: row.failure?.message ?? null,
		};
	};

	const checkProject = (project: Schemas['FileInput']) => {
		requireAsset(service, project, 'project');
		const asset =
			project.type === 'asset_id' ? service.state.assets.get(project.asset_id) : undefined;
		if (asset && asset.size > maxProjectBytes) {
			throw createError(
				413,
				'hyperframes_project_too_large',
				'The project is too large',
				'project',
			);
		}
		const bytes =
			project.type === 'base64' ? Buffer.from(project.data, 'base64') : (asset?.bytes ?? null);
		if (bytes && bytes.subarray(0, 2).toString('latin1') !== zipMagic) {
			throw createError(
				400,
				'hyperframes_project_invalid',
				'The project is not a zip file',
				'project',
			);
		}
	};

	route('POST /v3/hyperframes/renders', { needs: 'generation' }, ({ body }) => {
		if (body.resolution && legacyResolutions.includes(body.resolution)) {
			throw createError(
				422,
				'invalid_parameter',
				'resolution is 1080p or 4k; use aspect_ratio for the shape',
				'resolution',
			);
		}
		if (body.resolution === '4k') requirePlan(service, 'pro', '4K', 'resolution');
		checkProject(body.project);
		const row = startRowJob(service, 'composition_render', service.state.renders, {
			id: createId('render_'),
			statuses: { waiting: 'queued', running: 'rendering' },
			fields: {
				title: body.title ?? null,
				callbackId: body.callback_id ?? null,
				settings: {
					fps: body.fps ?? 30,
					quality: body.quality ?? 'standard',
					format: body.format ?? 'mp4',
					resolution: body.resolution ?? '1080p',
					aspect_ratio: body.aspect_ratio ?? '16:9',
					composition: body.composition ?? 'index.html',
				},
			},
			callbackUrl: body.callback_url,
			event: {
				name: 'hyperframes_video',
				data: ({ id, failure }) => ({
					render_id: id,
					...(failure
						? { failure_message: failure.message }
						: {
								video_url: createMediaUrl(service, id, 'video.mp4'),
								thumbnail_url: buildPublicUrl(service.baseUrl, id, 'thumbnail.jpg'),
								duration: 2,
							}),
					callback_id: body.callback_id ?? null,
				}),
			},
		});
		return respond({ render_id: row.id, status: row.status }, 202);
	});

	route('GET /v3/hyperframes/renders', ({ query }) =>
		respondWithPage(service, 'renders', service.state.renders.values(), query, viewRender),
	);

	route('GET /v3/hyperframes/renders/{render_id}', ({ params }) =>
		respond(viewRender(findRender(params.render_id))),
	);

	route('DELETE /v3/hyperframes/renders/{render_id}', ({ params }) => {
		const row = findRender(params.render_id);
		deleteJobRow(service, service.state.renders, row);
		return respond({ render_id: row.id });
	});
}
