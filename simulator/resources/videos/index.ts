import { createBatch, readBatch, readStatuses } from '../../batches';
import { createInvalidParameterError, createError } from '../../errors';
import { respond } from '../../http/responses';
import { respondWithPage } from '../../http/pagination';
import type { Route } from '../../http/route';
import { stopJob } from '../../jobs';
import { requireFolder } from '../../references';
import type { Service } from '../../service';
import { checkVideo, type VideoBody } from './validation';
import { getCaptionMode, createComposition } from './composition';
import { addVideo, findVideo, renderVideo, viewVideo } from './render';

function getText(body: VideoBody): string | null {
	if (body.type === 'cinematic_avatar') return body.prompt;
	return body.type === 'image' ? (body.script ?? null) : null;
}

function createVideo(
	service: Service,
	body: VideoBody,
	{ seconds, folder, ...fields }: { seconds: number; folder: string | null; created?: number },
) {
	return addVideo(service, {
		...fields,
		title: body.title ?? null,
		duration: seconds,
		folder,
		format: 'output_format' in body ? (body.output_format ?? 'mp4') : 'mp4',
		captions: getCaptionMode(body),
		callbackUrl: body.callback_url ?? null,
		callbackId: body.callback_id ?? null,
		text: getText(body),
		composition: createComposition(service, body),
	});
}

export function registerVideos(route: Route, service: Service) {
	route('POST /v3/videos', { needs: 'generation', occupies: 'jobs' }, ({ body }) => {
		const seconds = checkVideo(service, body);
		const folder = requireFolder(service, body.folder_id);
		const video = createVideo(service, body, { seconds, folder });
		renderVideo(service, video);
		return respond({ video_id: video.id, status: 'waiting', output_format: video.format });
	});

	route('GET /v3/videos', ({ query }) => {
		const titlePart = query.title?.toLowerCase();
		const rows = [...service.state.videos.values()].filter(
			(video) =>
				(!query.folder_id || video.folder === query.folder_id) &&
				(!titlePart || video.title?.toLowerCase().includes(titlePart)),
		);
		return respondWithPage(service, 'videos', rows, query, (video) => viewVideo(service, video));
	});

	route('GET /v3/videos/statuses', ({ query }) =>
		readStatuses(service, 'video', query.video_ids, query.batch_ids, (id) => {
			const video = service.state.videos.get(id);
			if (!video) return undefined;
			const status = video.status === 'pending' ? ('queued' as const) : video.status;
			return { status, error: video.failure };
		}),
	);

	route('POST /v3/videos/batches', { needs: 'generation' }, ({ body }) => {
		const folder = requireFolder(service, body.folder_id);
		const lengths = body.videos.map((video, index) => {
			if (video.folder_id != null) {
				throw createInvalidParameterError(
					`videos[${index}].folder_id`,
					'In a batch the folder is set on the batch',
				);
			}
			return checkVideo(service, video, `videos[${index}].`);
		});
		return createBatch(service, {
			kind: 'video',
			title: body.title ?? null,
			callbackUrl: body.callback_url ?? null,
			starts: body.videos.map((payload, index) => (progress) => {
				const video = createVideo(service, payload, {
					seconds: lengths[index] ?? 10,
					folder,
					created: progress.created,
				});
				renderVideo(service, video, progress);
				return video.id;
			}),
		});
	});

	route('GET /v3/videos/batches/{batch_id}', ({ params, query }) =>
		readBatch(service, 'video', params.batch_id, query),
	);

	route('GET /v3/videos/{video_id}', ({ params }) =>
		respond(viewVideo(service, findVideo(service, params.video_id))),
	);

	route('DELETE /v3/videos/{video_id}', ({ params }) => {
		const { id } = findVideo(service, params.video_id, 'video_not_found');
		service.state.videos.delete(id);
		stopJob(service, id);
		return respond({ id, deleted: true });
	});

	route('GET /v3/videos/{video_id}/scenes', ({ params }) => {
		const video = findVideo(service, params.video_id, 'video_not_found');
		if (!video.composition) {
			throw createError(400, 'scenes_unavailable', 'This video has no scenes to show');
		}
		return respond({ video_id: video.id, ...video.composition });
	});
}
