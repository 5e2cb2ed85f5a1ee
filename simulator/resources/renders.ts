import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problem } from '../errors';
import { dropPlain, findPlain, plainTable, startPlain, type Plain } from '../jobs';
import { mediaUrl, publicUrl } from '../media';
import { requireAsset } from '../references';
import { ok, page, paging, route } from '../route';
import { assetInput, callback } from '../schemas';
import type { Service } from '../store';

const OLD_WORDS = ['landscape', 'landscape-4k', 'portrait', 'portrait-4k', 'square', 'square-4k'];

const createBody = z
	.object({
		project: assetInput,
		// Old words pass here, to be refused with their own status.
		resolution: z.enum(['1080p', '4k', ...OLD_WORDS] as [string, ...string[]]).optional(),
		aspect_ratio: z.enum(['16:9', '9:16', '1:1']).optional(),
		composition: z.string().min(1).max(512).optional(),
		variables: z.record(z.unknown()).optional(),
		fps: z.number().int().min(1).max(240).optional(),
		quality: z.enum(['draft', 'standard', 'high']).optional(),
		format: z.enum(['mp4', 'webm', 'mov']).optional(),
		title: z.string().max(500).nullish(),
		callback_url: callback.callback_url,
		callback_id: z.string().max(256).nullish(),
	})
	.strict();

const ZIP_MAGIC = 'PK';
const KIND = 'composition_render';
const LIMIT_BYTES = 200 * 1024 * 1024;

export function registerRenders(app: FastifyInstance, service: Service) {
	const read = { scope: 'videos:read' };
	const write = { scope: 'videos:write' };
	const find = (id: string | undefined) =>
		findPlain(service, KIND, id, 'hyperframes_render_not_found');

	const view = (row: Plain) => {
		const done = row.status === 'completed';
		const file = row.fields.format === 'webm' ? 'video.webm' : 'video.mp4';
		return {
			render_id: row.id,
			status: row.status,
			...row.fields,
			video_url: done ? mediaUrl(service, row.id, file) : null,
			thumbnail_url: done ? publicUrl(service.baseUrl, row.id, 'thumbnail.jpg') : null,
			duration: done ? 2 : null,
			created_at: Math.floor(row.created),
			completed_at: row.completed === null ? null : Math.floor(row.completed),
			failure_message: row.failure?.message ?? null,
		};
	};

	const checkProject = (project: z.infer<typeof assetInput>) => {
		requireAsset(service, project, 'project');
		const asset =
			project.type === 'asset_id' ? service.state.assets.get(project.asset_id) : undefined;
		if (asset && asset.size > LIMIT_BYTES) {
			throw problem(413, 'hyperframes_project_too_large', 'The project is too large', 'project');
		}
		const bytes =
			project.type === 'base64' ? Buffer.from(project.data, 'base64') : (asset?.bytes ?? null);
		if (bytes && bytes.subarray(0, 2).toString('latin1') !== ZIP_MAGIC) {
			throw problem(400, 'hyperframes_project_invalid', 'The project is not a zip file', 'project');
		}
	};

	route(
		app,
		service,
		'POST /v3/hyperframes/renders',
		{ ...write, body: createBody },
		({ body }) => {
			if (body.resolution && OLD_WORDS.includes(body.resolution)) {
				throw problem(
					422,
					'invalid_parameter',
					'resolution is 1080p or 4k; use aspect_ratio for the shape',
					'resolution',
				);
			}
			checkProject(body.project);
			const row = startPlain(service, KIND, {
				prefix: 'render_',
				statuses: { waiting: 'queued', running: 'rendering' },
				fields: {
					title: body.title ?? null,
					callback_id: body.callback_id ?? null,
					fps: body.fps ?? 30,
					quality: body.quality ?? 'standard',
					format: body.format ?? 'mp4',
					resolution: body.resolution ?? '1080p',
					aspect_ratio: body.aspect_ratio ?? '16:9',
					composition: body.composition ?? 'index.html',
				},
				callbackUrl: body.callback_url,
				event: {
					name: 'hyperframes_video',
					data: ({ id, failure }) => ({
						render_id: id,
						...(failure
							? { failure_message: failure.message }
							: {
									video_url: mediaUrl(service, id, 'video.mp4'),
									thumbnail_url: publicUrl(service.baseUrl, id, 'thumbnail.jpg'),
									duration: 2,
								}),
						callback_id: body.callback_id ?? null,
					}),
				},
			});
			return ok({ render_id: row.id, status: row.status }, 202);
		},
	);

	route(
		app,
		service,
		'GET /v3/hyperframes/renders',
		{ ...read, query: z.object(paging(20)).strict() },
		({ query }) => page(service, 'renders', plainTable(service, KIND).values(), query, view),
	);

	route(app, service, 'GET /v3/hyperframes/renders/{render_id}', read, ({ params }) =>
		ok(view(find(params.render_id))),
	);

	route(app, service, 'DELETE /v3/hyperframes/renders/{render_id}', write, ({ params }) => {
		const row = find(params.render_id);
		dropPlain(service, KIND, row);
		return ok({ render_id: row.id });
	});
}
