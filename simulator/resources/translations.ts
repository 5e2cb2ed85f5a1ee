import { createBatch, readBatch, readStatuses, type BatchProgress } from '../batches';
import { emitEvent } from '../deliveries';
import { createInvalidParameterError, createError } from '../errors';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { deleteJobRow, getBatchItemStatus, startRowJob } from '../jobs';
import { createMediaUrl } from '../media';
import { requireAsset, requireFolder, requireBrandGlossary, requirePlan } from '../references';
import type { Proofread, Translation } from '../rows';
import type { Schemas } from '../requestTypes';
import type { Service } from '../service';
import { findRow, createId } from '../store';
import { addVideo, finishVideo } from './videos/render';

const languageCodes: Record<string, string> = {
	English: 'en',
	'English (United States)': 'en-US',
	German: 'de',
	Spanish: 'es',
	'Spanish (Mexico)': 'es-MX',
	French: 'fr',
	Italian: 'it',
	Japanese: 'ja',
	Portuguese: 'pt',
	Turkish: 'tr',
};

/** Failures of the source video, which emit their own event in addition to the one of the job. */
const preflightFailures = ['validation_failed', 'download_failed'];

type TranslationBody = Schemas['TranslationRequest'];

export function registerTranslations(route: Route, service: Service) {
	const findTranslation = (id: string | undefined) =>
		findRow(service.state.translations, id, 'Translation');

	const viewTranslation = (row: Translation) => {
		const isDone = row.status === 'completed';
		const createFileUrl = (name: string) => (isDone ? createMediaUrl(service, row.id, name) : null);
		return {
			id: row.id,
			status: row.status,
			title: row.title,
			input_language: row.inputLanguage,
			output_language: row.outputLanguage,
			translate_audio_only: row.audioOnly,
			duration: isDone ? 2 : null,
			video_url: row.audioOnly ? null : createFileUrl('video.mp4'),
			audio_url: createFileUrl('speech.wav'),
			srt_caption_url: createFileUrl('captions.srt'),
			vtt_caption_url: createFileUrl('captions.vtt'),
			created_at: Math.floor(row.created),
			callback_id: row.callbackId,
			failure_message: row.failure?.message ?? null,
		};
	};

	function checkSource(body: Partial<TranslationBody>, path = '') {
		requireAsset(service, body.video, `${path}video`);
		requireAsset(service, body.audio, `${path}audio`);
		requireAsset(service, body.srt, `${path}srt`);
		requireBrandGlossary(service, body);
		if (body.start_time != null && body.end_time != null && body.end_time <= body.start_time) {
			throw createInvalidParameterError(`${path}end_time`, 'end_time must be after start_time');
		}
		if (body.stock_voice_config?.use_stock_voice) {
			requirePlan(service, 'enterprise', 'Stock voices', `${path}stock_voice_config`);
		}
		return requireFolder(service, body.folder_id, [body.video, body.audio, body.srt]);
	}

	/** Starts one translation. Its result is also a video with the same id. */
	function startTranslation(
		body: Partial<TranslationBody>,
		outputLanguage: string,
		folder: string | null,
		progress: Partial<BatchProgress> = {},
	) {
		const languageCode = languageCodes[outputLanguage] ?? outputLanguage;
		const createEventData = ({ id, failure }: Translation) => ({
			video_translate_id: id,
			...(failure
				? { message: failure.message }
				: { url: createMediaUrl(service, id, 'video.mp4') }),
			output_language: outputLanguage,
			callback_id: body.callback_id ?? null,
		});
		const row: Translation = startRowJob(service, 'translation', service.state.translations, {
			id: createId('translation_'),
			statuses: { waiting: 'pending', running: 'running' },
			fields: {
				title: body.title ?? null,
				inputLanguage: body.input_language ?? 'English',
				outputLanguage,
				audioOnly: body.translate_audio_only ?? false,
				callbackId: body.callback_id ?? null,
			},
			callbackUrl: body.callback_url,
			event: { name: 'video_translate', data: createEventData },
			...progress,
			onEnd: (failure) => {
				if (failure) Object.assign(video, { status: 'failed', failure });
				else finishVideo(video, service.clock.now());
				if (failure && preflightFailures.includes(failure.code)) {
					emitEvent(service, `video_translate.preflight.${failure.code}`, createEventData(row));
				}
				progress.onEnd?.(failure);
			},
		});
		const video = addVideo(service, {
			id: row.id,
			title: body.title ?? null,
			folder,
			outputLanguage: languageCode,
			duration: 2,
			// Always created, but never burned in.
			captions: 'file',
		});
		return row;
	}

	route('POST /v3/video-translations', { needs: 'generation', occupies: 'jobs' }, ({ body }) => {
		const folder = checkSource(body);
		const rows = body.output_languages.map((name) => startTranslation(body, name, folder));
		return respond({ video_translation_ids: rows.map(({ id }) => id) });
	});

	route('GET /v3/video-translations', ({ query }) =>
		respondWithPage(
			service,
			'translations',
			service.state.translations.values(),
			query,
			viewTranslation,
		),
	);

	route('GET /v3/video-translations/languages', () =>
		respond({ languages: Object.keys(languageCodes) }),
	);

	route('GET /v3/video-translations/statuses', ({ query }) =>
		readStatuses(service, 'translation', query.video_translation_ids, query.batch_ids, (id) =>
			getBatchItemStatus(service.state.translations.get(id)),
		),
	);

	route('POST /v3/video-translations/batches', { needs: 'generation' }, ({ body }) => {
		const items = body.video_translations.flatMap((item, index) => {
			const folder = checkSource(item, `video_translations[${index}].`);
			return item.output_languages.map((name) => ({ item, name, folder }));
		});
		if (items.length > 100) {
			throw createInvalidParameterError(
				'video_translations',
				'Videos times languages exceed 100 items',
			);
		}
		return createBatch(service, {
			kind: 'translation',
			title: body.title ?? null,
			callbackUrl: body.callback_url ?? null,
			starts: items.map(
				({ item, name, folder }) =>
					(progress) =>
						startTranslation(item, name, folder, progress).id,
			),
		});
	});

	route('GET /v3/video-translations/batches/{batch_id}', ({ params, query }) =>
		readBatch(service, 'translation', params.batch_id, query),
	);

	route('GET /v3/video-translations/{video_translation_id}', ({ params }) =>
		respond(viewTranslation(findTranslation(params.video_translation_id))),
	);

	route('PATCH /v3/video-translations/{video_translation_id}', ({ params, body }) => {
		const row = findTranslation(params.video_translation_id);
		row.title = body.title;
		return respond(viewTranslation(row));
	});

	route('DELETE /v3/video-translations/{video_translation_id}', ({ params }) => {
		const row = findTranslation(params.video_translation_id);
		deleteJobRow(service, service.state.translations, row);
		service.state.videos.delete(row.id);
		return respond({ id: row.id });
	});

	const viewProofread = (row: Proofread) => ({
		id: row.id,
		status: row.status,
		title: row.title,
		input_language: 'English',
		output_language: row.outputLanguage,
		submitted_for_review: false,
		created_at: Math.floor(row.created),
		failure_message: row.failure?.message ?? null,
	});

	const findProofread = (id: string | undefined) =>
		findRow(service.state.proofreads, id, 'Proofread');

	const findCompletedProofread = (id: string | undefined) => {
		const row = findProofread(id);
		if (row.status !== 'completed') {
			throw createError(409, 'resource_not_ready', `The proofread is ${row.status}`);
		}
		return row;
	};

	route('POST /v3/video-translations/proofreads', { needs: 'generation' }, ({ body }) => {
		const folder = checkSource(body);
		const rows = body.output_languages.map((name) =>
			startRowJob(service, 'proofread', service.state.proofreads, {
				id: createId('proofread_'),
				statuses: { waiting: 'processing', running: 'processing' },
				fields: { title: body.title, outputLanguage: name, folder },
				callbackUrl: body.callback_url,
				event: {
					name: 'proofread_creation',
					data: ({ id, failure }) => ({
						proofread_id: id,
						...(failure ? { message: failure.message } : {}),
						callback_id: body.callback_id ?? null,
					}),
				},
			}),
		);
		return respond({ proofread_ids: rows.map(({ id }) => id), status: 'processing' });
	});

	route('GET /v3/video-translations/proofreads/{proofread_id}', ({ params }) =>
		respond(viewProofread(findProofread(params.proofread_id))),
	);

	route('GET /v3/video-translations/proofreads/{proofread_id}/srt', ({ params }) => {
		const { id } = findCompletedProofread(params.proofread_id);
		const createSrtUrl = () => createMediaUrl(service, id, 'captions.srt');
		return respond({ srt_url: createSrtUrl(), original_srt_url: createSrtUrl() });
	});

	route('PUT /v3/video-translations/proofreads/{proofread_id}/srt', ({ params, body }) => {
		requireAsset(service, body.srt, 'srt');
		return respond(viewProofread(findCompletedProofread(params.proofread_id)));
	});

	route(
		'POST /v3/video-translations/proofreads/{proofread_id}/generate',
		{ needs: 'generation', occupies: 'jobs' },
		({ params, body }) => {
			const { title, outputLanguage, folder } = findCompletedProofread(params.proofread_id);
			const row = startTranslation({ ...body, title }, outputLanguage, folder);
			return respond({ video_translation_id: row.id, status: row.status });
		},
	);
}
