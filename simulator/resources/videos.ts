import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createBatch, readBatch, readStatuses, statusesQuery, type Progress } from '../batches';
import { startJob } from '../jobs';
import { invalid, missing, problem } from '../errors';
import { mediaUrl, publicUrl, signedUrl } from '../media';
import {
	requireAsset,
	requireAssetId,
	requireFolder,
	requireGlossary,
	requireLook,
	requireSpeech,
} from '../references';
import { ok, page, paging, route } from '../route';
import type { AssetInput } from '../schemas';
import { add, newId, type Composition, type Service, type Video } from '../store';
import { batchBody, videoBody, type StudioScene, type VideoBody } from './videoBodies';

export function viewVideo(service: Service, video: Video) {
	const done = video.status === 'completed';
	const file = (name: string) => (done ? mediaUrl(service, video.id, name) : null);
	return {
		id: video.id,
		status: video.status,
		title: video.title,
		created_at: Math.floor(video.created),
		completed_at: video.completed === null ? null : Math.floor(video.completed),
		video_url: file(`video.${video.format}`),
		thumbnail_url: done ? publicUrl(service.baseUrl, video.id, 'thumbnail.jpg') : null,
		gif_url: file('preview.gif'),
		captioned_video_url: video.captions === 'burned' ? file('captioned.mp4') : null,
		subtitle_url: video.captions === 'none' ? null : file('captions.srt'),
		duration: done ? video.duration : null,
		folder_id: video.folder,
		...(video.outputLanguage ? { output_language: video.outputLanguage } : {}),
		...(video.failure
			? { failure_code: video.failure.code, failure_message: video.failure.message }
			: {}),
		video_page_url: `https://app.example/videos/${video.id}`,
	};
}

export function findVideo(service: Service, id: string | undefined, code = 'not_found') {
	const video = service.state.videos.get(id ?? '');
	if (!video) throw missing(code, `Video ${id}`);
	return video;
}

export const addVideo = (service: Service, video: Partial<Video>) =>
	add<Video>(service.state, service.state.videos, {
		id: newId(),
		status: 'pending',
		title: null,
		created: service.clock.now(),
		completed: null,
		duration: 10,
		folder: null,
		format: 'mp4',
		captions: 'none',
		failure: null,
		callbackUrl: null,
		callbackId: null,
		outputLanguage: null,
		sessionId: null,
		composition: null,
		...video,
	});

/** Renders a video over the job time and tells the world when it ends. */
export function renderVideo(service: Service, video: Video, progress: Partial<Progress> = {}) {
	const callback = { url: video.callbackUrl };
	startJob(service, 'video', {
		id: video.id,
		record: video,
		start: video.created,
		steps: [
			{
				share: 0.15,
				run: () => {
					video.status = 'processing';
					progress.onStart?.();
				},
			},
		],
		complete: (at) => {
			finishVideo(video, at);
			const share = mediaUrl(service, video.id, `video.${video.format}`);
			progress.onEnd?.(null);
			service.deliverer.emit(
				'avatar_video.success',
				{
					video_id: video.id,
					url: share,
					gif_download_url: mediaUrl(service, video.id, 'preview.gif'),
					video_page_url: `https://app.example/videos/${video.id}`,
					video_share_page_url: `https://app.example/share/${video.id}`,
					folder_id: video.folder,
					callback_id: video.callbackId,
				},
				callback,
			);
		},
		fail: (failure) => {
			video.status = 'failed';
			video.failure = failure;
			progress.onEnd?.(failure);
			service.deliverer.emit(
				'avatar_video.fail',
				{ video_id: video.id, msg: failure.message, callback_id: video.callbackId },
				callback,
			);
		},
	});
}

export function finishVideo(video: Video, at: number) {
	video.status = 'completed';
	video.completed = at;
}

/** Refuses what the schema alone cannot see; returns how long the video will be. */
function checkVideo(service: Service, body: VideoBody, path = ''): number {
	const at = (name: string) => path + name;
	if (body.type === 'studio') {
		requireGlossary(service, body);
		requireAsset(service, body.watermark?.image, at('watermark.image'));
		return body.scenes.reduce(
			(sum, scene, index) => sum + checkScene(service, scene, `${path}scenes[${index}]`),
			0,
		);
	}
	if (body.type === 'cinematic_avatar') {
		body.avatar_id.forEach((id, index) => requireLook(service, id, at(`avatar_id[${index}]`)));
		body.references?.forEach((input, index) =>
			requireAsset(service, input, at(`references[${index}]`)),
		);
		if (body.auto_duration && body.duration != null) {
			throw invalid(at('duration'), 'duration cannot be given together with auto_duration');
		}
		return body.duration ?? 10;
	}
	requireGlossary(service, body);
	requireAsset(service, body.watermark?.image, at('watermark.image'));
	const look =
		body.type === 'avatar' ? requireLook(service, body.avatar_id, at('avatar_id')) : null;
	const engine = body.type === 'avatar' ? body.engine : null;
	if (body.type === 'image') requireAsset(service, body.image, at('image'));
	if (engine?.type === 'avatar_v' && body.expressiveness != null) {
		throw invalid(at('expressiveness'), 'expressiveness is not supported by the engine avatar_v');
	}
	if (look && engine && !look.engines.includes(engine.type)) {
		throw problem(400, 'avatar_not_usable', `This look has no ${engine.type}`, at('engine.type'));
	}
	if (engine?.type === 'avatar_v' && engine.reference_look_id) {
		const reference = requireLook(
			service,
			engine.reference_look_id,
			at('engine.reference_look_id'),
		);
		if (reference && reference.groupId !== look?.groupId) {
			throw invalid(at('engine.reference_look_id'), 'The reference look is of another avatar');
		}
	}
	checkBackground(service, body, path, look?.matted ?? true);
	return requireSpeech(service, body, {
		path: path.replace(/\.$/, ''),
		voiceRequired: body.type === 'image',
	});
}

function checkBackground(
	service: Service,
	body: Extract<VideoBody, { type: 'avatar' | 'image' }>,
	path: string,
	matted: boolean,
) {
	const { background } = body;
	if (body.output_format === 'webm' && background) {
		throw invalid(`${path}background`, 'A webm has an alpha channel and takes no background');
	}
	if ((body.output_format === 'webm' || body.remove_background) && !matted) {
		throw problem(
			400,
			'avatar_not_usable',
			'This look was not cut out of its background',
			`${path}avatar_id`,
		);
	}
	if (!background) return;
	if (background.type === 'color' && (!background.value || background.url || background.asset_id)) {
		throw invalid(`${path}background.value`, 'A color background takes a value and nothing else');
	}
	if (
		background.type === 'image' &&
		(background.value || !background.url === !background.asset_id)
	) {
		throw invalid(`${path}background.url`, 'An image background takes a url or an asset_id');
	}
	requireAssetId(service.state, background.asset_id, `${path}background.asset_id`);
}

function checkScene(service: Service, scene: StudioScene, path: string): number {
	if (scene.type === 'avatar_video') {
		const { input } = scene;
		if (input.type === 'avatar') {
			requireLook(service, input.avatar_id, `${path}.input.avatar_id`);
			if (input.engine?.type === 'avatar_v' && input.expressiveness != null) {
				throw invalid(
					`${path}.input.expressiveness`,
					'expressiveness is not supported by the engine avatar_v',
				);
			}
		} else requireAsset(service, input.image, `${path}.input.image`);
		return requireSpeech(service, input, {
			path: `${path}.input`,
			voiceRequired: input.type === 'image',
		});
	}
	requireAsset(service, scene.source, `${path}.source`);
	if (scene.type === 'video') {
		if (!scene.voiceover) return 8;
		return requireSpeech(service, scene.voiceover, {
			path: `${path}.voiceover`,
			voiceRequired: true,
		});
	}
	const narrated = scene.script || scene.audio_url || scene.audio_asset_id;
	if (narrated && scene.duration != null) {
		throw invalid(`${path}.duration`, 'A narrated scene takes its length from the narration');
	}
	if (!narrated && scene.duration == null) {
		throw invalid(`${path}.duration`, 'A silent image scene needs a duration');
	}
	return scene.duration ?? requireSpeech(service, scene, { path, voiceRequired: true });
}

const sourceUrl = (service: Service, input: AssetInput) =>
	input.type === 'url'
		? input.url
		: signedUrl(
				service,
				`/media/${input.type === 'asset_id' ? input.asset_id : 'inline'}/thumbnail.jpg`,
			);

interface Speech {
	script?: string | null | undefined;
	audio_url?: string | null | undefined;
	audio_asset_id?: string | null | undefined;
	voice_id?: string | null | undefined;
	voice_settings?: unknown;
}

function scriptOf(service: Service, source: Speech, silence: number) {
	const id = newId('script_');
	if (source.script) {
		return {
			type: 'text',
			id,
			text: source.script,
			voice_id: source.voice_id ?? 'voice_001',
			voice_settings: source.voice_settings ?? null,
			trim_to_speech: false,
		};
	}
	if (source.audio_url || source.audio_asset_id) {
		const own = signedUrl(service, `/media/${source.audio_asset_id}/speech.wav`);
		return { type: 'audio', id, audio_url: source.audio_url ?? own };
	}
	return { type: 'silence', id, duration: silence };
}

const avatarElement = (input: {
	avatar_id: string;
	engine?: { type: string } | null | undefined;
	expressiveness?: string | null | undefined;
	motion_prompt?: string | null | undefined;
}) => ({
	type: 'avatar',
	id: newId('el_'),
	avatar_id: input.avatar_id,
	engine: input.engine?.type ?? 'avatar_iv',
	expressiveness: input.expressiveness ?? 'low',
	motion_prompt: input.motion_prompt ?? null,
});

function composeStudioScene(service: Service, scene: StudioScene): Composition['scenes'][number] {
	const id = newId('scene_');
	if (scene.type === 'avatar_video') {
		const { input } = scene;
		return {
			id,
			background: input.type === 'avatar' ? (input.background ?? null) : null,
			elements: [
				input.type === 'avatar'
					? avatarElement(input)
					: { type: 'image', id: newId('el_'), url: sourceUrl(service, input.image) },
			],
			script: scriptOf(service, input, 0),
		};
	}
	const element = { type: scene.type, id: newId('el_'), url: sourceUrl(service, scene.source) };
	if (scene.type === 'image') {
		return {
			id,
			background: null,
			elements: [element],
			script: scriptOf(service, scene, scene.duration ?? 0),
		};
	}
	return {
		id,
		background: null,
		elements: [
			{
				...element,
				playback: scene.playback?.mode ?? 'freeze',
				trim: null,
				volume: scene.playback?.mute ? 0 : (scene.playback?.volume ?? 1),
				speed_multiplier: 1,
			},
		],
		script: scriptOf(service, scene.voiceover ?? {}, 8),
	};
}

/** A caption object asks for the file of subtitles; with a style they are also burned in. */
function captionsOf(body: VideoBody): Video['captions'] {
	if (body.type === 'cinematic_avatar') return 'none';
	const caption = body.type === 'studio' ? body.captions : body.caption;
	if (!caption) return 'none';
	return caption.style ? 'burned' : 'file';
}

function compose(service: Service, body: VideoBody): Composition | null {
	if (body.type === 'image' || body.type === 'cinematic_avatar') return null;
	return {
		edit_version: newId('ev_'),
		video: {
			title: body.title ?? null,
			aspect_ratio: body.aspect_ratio ?? '16:9',
			resolution: body.resolution ?? '1080p',
			caption: { enabled: captionsOf(body) === 'burned' },
			brand_glossary_id: body.brand_glossary_id ?? body.brand_voice_id ?? null,
		},
		scenes:
			body.type === 'studio'
				? body.scenes.map((scene) => composeStudioScene(service, scene))
				: [
						{
							id: newId('scene_'),
							background: backgroundOf(service, body.background),
							elements: [avatarElement(body)],
							script: scriptOf(service, body, 0),
						},
					],
	};
}

function backgroundOf(
	service: Service,
	background: Extract<VideoBody, { type: 'avatar' }>['background'],
) {
	if (!background) return null;
	if (background.type === 'color') return { type: 'color', color: background.value };
	const own = signedUrl(service, `/media/${background.asset_id}/thumbnail.jpg`);
	return { type: 'image', id: newId('bg_'), url: background.url ?? own };
}

function createVideo(service: Service, body: VideoBody, seconds: number, folder: string | null) {
	return addVideo(service, {
		title: body.title ?? null,
		duration: seconds,
		folder,
		format: 'output_format' in body ? (body.output_format ?? 'mp4') : 'mp4',
		captions: captionsOf(body),
		callbackUrl: body.callback_url ?? null,
		callbackId: body.callback_id ?? null,
		composition: compose(service, body),
	});
}

export function registerVideos(app: FastifyInstance, service: Service) {
	const read = { scope: 'videos:read' };
	const write = { scope: 'videos:write' };

	route(
		app,
		service,
		'POST /v3/videos',
		{ ...write, idempotent: true, body: videoBody },
		({ body }) => {
			const seconds = checkVideo(service, body);
			const video = createVideo(service, body, seconds, requireFolder(service, body.folder_id));
			renderVideo(service, video);
			return ok({ video_id: video.id, status: 'waiting', output_format: video.format });
		},
	);

	route(
		app,
		service,
		'GET /v3/videos',
		{
			...read,
			query: z
				.object({ ...paging(10), folder_id: z.string().optional(), title: z.string().optional() })
				.strict(),
		},
		({ query }) => {
			const wanted = query.title?.toLowerCase();
			const rows = [...service.state.videos.values()].filter(
				(video) =>
					(!query.folder_id || video.folder === query.folder_id) &&
					(!wanted || video.title?.toLowerCase().includes(wanted)),
			);
			return page(service, 'videos', rows, query, (video) => viewVideo(service, video));
		},
	);

	route(
		app,
		service,
		'GET /v3/videos/statuses',
		{ ...read, query: statusesQuery('video_ids') },
		({ query }) =>
			readStatuses(service, 'video', query.video_ids, query.batch_ids, (id) => {
				const video = service.state.videos.get(id);
				if (!video) return undefined;
				const status = video.status === 'pending' ? ('queued' as const) : video.status;
				return { status, error: video.failure };
			}),
	);

	route(
		app,
		service,
		'POST /v3/videos/batches',
		{ ...write, idempotent: true, body: batchBody },
		({ body }) => {
			const folder = requireFolder(service, body.folder_id);
			const lengths = body.videos.map((video, index) => {
				if (video.folder_id != null) {
					throw invalid(`videos[${index}].folder_id`, 'In a batch the folder is set on the batch');
				}
				return checkVideo(service, video, `videos[${index}].`);
			});
			return createBatch(service, {
				kind: 'video',
				title: body.title ?? null,
				callbackUrl: body.callback_url ?? null,
				starts: body.videos.map((payload, index) => (progress) => {
					const video = createVideo(service, payload, lengths[index] ?? 10, folder);
					renderVideo(service, video, progress);
					return video.id;
				}),
			});
		},
	);

	route(
		app,
		service,
		'GET /v3/videos/batches/{batch_id}',
		{ ...read, query: z.object(paging(100)).strict() },
		({ params, query }) => readBatch(service, 'video', params.batch_id, query),
	);

	route(app, service, 'GET /v3/videos/{video_id}', read, ({ params }) =>
		ok(viewVideo(service, findVideo(service, params.video_id))),
	);

	route(app, service, 'DELETE /v3/videos/{video_id}', write, ({ params }) => {
		const { id } = findVideo(service, params.video_id, 'video_not_found');
		service.state.videos.delete(id);
		const job = service.state.jobs.get(id);
		if (job) job.ended = true;
		return ok({ id, deleted: true });
	});

	route(app, service, 'GET /v3/videos/{video_id}/scenes', read, ({ params }) => {
		const video = findVideo(service, params.video_id, 'video_not_found');
		if (!video.composition) {
			throw problem(400, 'scenes_unavailable', 'This video has no scenes to show');
		}
		return ok({ video_id: video.id, ...video.composition });
	});
}
