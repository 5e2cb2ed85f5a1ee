import { Readable } from 'node:stream';
import { sendCallback } from '../deliveries';
import { createInvalidParameterError, createNotFoundError, createError } from '../errors';
import { limitSpeechRate } from '../http/authorization';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { deleteJobRow, startRowJob } from '../jobs';
import { createMediaUrl, readSpeechFile } from '../media';
import { estimateSpeechSeconds, requireAsset, requireAllowedText } from '../references';
import type { ModelVideo, ModelVoice } from '../rows';
import type { Service } from '../service';
import { findRow, createId } from '../store';

const maxTrainingsPerPeriod = 5;
const trainingPeriodSeconds = 30 * 24 * 3600;
const maxPauseSeconds = 5;

export function registerModels(route: Route, service: Service) {
	registerModelVideos(route, service);
	registerModelVoices(route, service);
	registerModelSpeech(route, service);
}

function registerModelVideos(route: Route, service: Service) {
	const viewVideo = (row: ModelVideo) => {
		const isSmall = row.resolution === '480p';
		return {
			video_id: row.id,
			status: row.status,
			model: row.model,
			created_at: Math.floor(row.created),
			aspect_ratio: row.aspectRatio,
			width: isSmall ? 854 : 1366,
			height: isSmall ? 480 : 768,
			...(row.status === 'completed'
				? {
						video_url: createMediaUrl(service, row.id, 'video.mp4'),
						duration: row.duration,
						seed: row.seed,
						timings: { inference: 12.5 },
					}
				: {}),
			...(row.failure
				? { failure_code: row.failure.code, failure_message: row.failure.message }
				: {}),
		};
	};

	route('POST /v3/models/videos', { needs: 'generation' }, ({ body }) => {
		requireAllowedText(body.prompt, 'prompt');
		if (body.mode === 'image_to_video') requireAsset(service, body.image, 'image');
		if (body.mode === 'reference_to_video') {
			const { reference_images: images = [], reference_videos: videos = [] } = body;
			const referenceCount = images.length + videos.length + (body.reference_audio?.length ?? 0);
			if (images.length + videos.length === 0) {
				throw createInvalidParameterError(
					'reference_images',
					'Give at least one reference image or video',
				);
			}
			if (referenceCount > 12)
				throw createInvalidParameterError('reference_images', 'At most 12 references in total');
		}
		// No event type for model videos is documented, so only the callback URL is notified.
		const row: ModelVideo = startRowJob(service, 'model_video', service.state.modelVideos, {
			id: createId('model_video_'),
			fields: {
				model: body.model,
				prompt: body.prompt,
				duration: body.duration ?? 5,
				resolution: body.resolution ?? '768p',
				aspectRatio: 'aspect_ratio' in body ? (body.aspect_ratio ?? '16:9') : '16:9',
				seed: body.seed ?? 1,
			},
			statuses: { waiting: 'pending', running: 'processing' },
			onEnd: (failure) => {
				if (!body.callback_url) return;
				const type = `model_video.${failure ? 'fail' : 'success'}`;
				const data = { ...viewVideo(row), callback_id: body.callback_id ?? null };
				sendCallback(service, type, data, body.callback_url);
			},
		});
		return respond({ video_id: row.id, status: row.status }, 202);
	});

	route('GET /v3/models/videos/{video_id}', ({ params }) =>
		respond(
			viewVideo(
				findRow(service.state.modelVideos, params.video_id, 'Model video', 'video_not_found'),
			),
		),
	);
}

const viewVoice = (row: ModelVoice) => ({
	voice_id: row.id,
	mode: 'professional',
	name: row.name,
	language: row.language,
	status: row.status,
	created_at: Math.floor(row.created),
	failure_reason: row.failure ? 'TRAINING_FAILED' : null,
});

const voiceStatuses = { waiting: 'PENDING', running: 'PENDING', done: 'ACTIVE', failed: 'FAILED' };

function registerModelVoices(route: Route, service: Service) {
	const findVoice = (id: string | undefined) =>
		findRow(service.state.modelVoices, id, 'Model voice', 'voice_not_found');

	route('POST /v3/models/audio/voices', { needs: 'generation' }, ({ body, now }) => {
		if (service.state.workspace.plan === 'free') {
			throw createError(402, 'subscription_required', 'Training voices needs a subscription');
		}
		body.audio.forEach((input, index) => requireAsset(service, input, `audio[${index}]`));
		if (service.state.voices.has(body.voice_id ?? '')) {
			throw createError(400, 'voice_not_cloneable', 'This voice cannot be trained', 'voice_id');
		}
		const existing = body.voice_id === undefined ? undefined : findVoice(body.voice_id);
		if (existing?.status === 'PENDING') {
			throw createError(409, 'resource_not_ready', 'This voice is still in training');
		}
		const trainings = (existing?.trainings ?? []).filter((at) => now - at < trainingPeriodSeconds);
		if (trainings.length >= maxTrainingsPerPeriod) {
			throw createError(
				400,
				'resource_limit_reached',
				'This voice was trained too often this month',
			);
		}
		const row = startRowJob(service, 'model_voice', service.state.modelVoices, {
			// A retrained voice keeps its id.
			id: existing?.id ?? createId('model_voice_'),
			fields: {
				name: existing?.name ?? body.name ?? 'Voice',
				language: existing ? existing.language : (body.language ?? null),
				trainings: [...trainings, now],
			},
			statuses: voiceStatuses,
		});
		return respond({ voice_id: row.id }, 202);
	});

	route('GET /v3/models/audio/voices', ({ query }) =>
		respondWithPage(service, 'model voices', service.state.modelVoices.values(), query, viewVoice),
	);

	route('GET /v3/models/audio/voices/{voice_id}', ({ params }) =>
		respond(viewVoice(findVoice(params.voice_id))),
	);

	route('DELETE /v3/models/audio/voices/{voice_id}', ({ params }) => {
		const row = service.state.modelVoices.get(params.voice_id ?? '');
		if (row?.status === 'PENDING') {
			throw createError(409, 'resource_not_ready', 'This voice is still in training');
		}
		if (row) deleteJobRow(service, service.state.modelVoices, row);
		return respond({ status: 'ok' });
	});
}

function registerModelSpeech(route: Route, service: Service) {
	const checkSpeech = (body: { voice_id: string; text: string }) => {
		limitSpeechRate(service);
		const voice = service.state.modelVoices.get(body.voice_id);
		if (!voice) {
			if (service.state.voices.has(body.voice_id)) {
				throw createError(
					403,
					'voice_not_usable',
					'Only professional voices speak here',
					'voice_id',
				);
			}
			throw createNotFoundError('voice_not_found', `Voice ${body.voice_id}`, 'voice_id');
		}
		if (voice.status === 'PENDING') {
			throw createError(409, 'voice_not_ready', 'This voice is still in training', 'voice_id');
		}
		if (voice.status === 'FAILED') {
			throw createError(
				409,
				'voice_training_failed',
				'The training of this voice failed',
				'voice_id',
			);
		}
		requireAllowedText(body.text, 'text');
		for (const tag of body.text.match(/<[^>]*>/g) ?? []) {
			const pause = /^<break\s+time="(\d+(?:\.\d+)?)s"\s*\/>$/.exec(tag);
			if (!pause) throw createError(400, 'tts_text_invalid', `${tag} is not supported`, 'text');
			if (Number(pause[1]) > maxPauseSeconds) {
				throw createError(400, 'tts_text_invalid', 'A pause lasts at most 5 seconds', 'text');
			}
		}
	};

	route('POST /v3/models/audio/tts', { needs: 'generation' }, ({ body }) => {
		checkSpeech(body);
		const audio_url = createMediaUrl(service, 'tts', 'speech.wav');
		return {
			...respond({ audio_url, duration: estimateSpeechSeconds(body.text) }),
			// A header has no characters such as emojis.
			headers: { 'content-language': encodeURIComponent(body.language) },
		};
	});

	route('POST /v3/models/audio/tts/stream', { needs: 'generation' }, ({ body }) => {
		checkSpeech(body);
		const words = body.text
			.replace(/<[^>]*>/g, ' ')
			.split(/\s+/)
			.filter(Boolean);
		const frames: unknown[] = [];
		for (let part = 0; part * 8 < words.length; part += 1) {
			frames.push({
				type: 'audio',
				part_index: part,
				audio: readSpeechFile().toString('base64'),
			});
			if (!body.with_timestamps) continue;
			const spoken = words.slice(part * 8, part * 8 + 8);
			frames.push({
				type: 'alignment',
				word_alignments: spoken.map((text, index) => ({
					text,
					start_time: part * 3.2 + index * 0.4,
					end_time: part * 3.2 + index * 0.4 + 0.35,
					confidence: 0.98,
				})),
			});
		}
		const lines = [...frames.map((frame) => JSON.stringify(frame)), '[DONE]'];
		return {
			status: 200,
			headers: { 'content-type': 'text/event-stream' },
			body: Readable.from(lines.map((line) => `data: ${line}\n\n`)),
		};
	});
}
