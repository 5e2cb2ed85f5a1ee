import { createError } from '../errors';
import { limitSpeechRate } from '../http/authorization';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { startJob } from '../jobs';
import { createMediaUrl, buildPublicUrl } from '../media';
import {
	estimateSpeechSeconds,
	requireAsset,
	requireAllowedText,
	requireVoice,
} from '../references';
import type { Voice } from '../rows';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';

export function registerVoices(route: Route, service: Service) {
	const buildPreviewUrl = (voice: Voice) => buildPublicUrl(service.baseUrl, voice.id, 'speech.wav');

	const viewSummary = (voice: Voice) => ({
		voice_id: voice.id,
		name: voice.name,
		language: voice.language,
		gender: voice.gender,
		type: voice.type,
		support_pause: voice.supportPause,
		support_locale: voice.supportLocale,
		preview_audio_url: buildPreviewUrl(voice),
	});

	const findVoice = (id: string | undefined) =>
		findRow(service.state.voices, id, 'Voice', 'voice_not_found');

	route('GET /v3/voices', ({ query }) => {
		const isSameOrUnset = (wanted: string | undefined, value: string) =>
			!wanted || wanted.toLowerCase() === value.toLowerCase();
		const rows = [...service.state.voices.values()].filter(
			(voice) =>
				voice.type === query.type &&
				(voice.status === null || voice.status === 'complete') &&
				isSameOrUnset(query.engine, voice.engine) &&
				isSameOrUnset(query.language, voice.language) &&
				isSameOrUnset(query.gender, voice.gender),
		);
		return respondWithPage(service, 'voices', rows, query, viewSummary, 'catalog');
	});

	route('POST /v3/voices', ({ body }) => {
		const seed = body.seed ?? 0;
		const matchingVoices = [...service.state.voices.values()].filter(
			(voice) => voice.type === 'public' && (!body.gender || voice.gender === body.gender),
		);
		return respond({
			voices: matchingVoices.slice(seed * 3, seed * 3 + 3).map(viewSummary),
			seed,
		});
	});

	route('POST /v3/voices/clone', { needs: 'generation' }, ({ body, now }) => {
		requireAsset(service, body.audio, 'audio');
		const voice = addRow<Voice>(service.state, service.state.voices, {
			id: createId('voice_clone_'),
			name: body.voice_name,
			language: body.language ?? 'English',
			gender: 'unknown',
			type: 'private',
			engine: 'standard',
			supportPause: true,
			supportLocale: false,
			created: now,
			status: 'processing',
			failure: null,
			expired: false,
		});
		startJob(service, 'voice_clone', {
			id: voice.id,
			record: voice,
			complete: () => void (voice.status = 'complete'),
			fail: (failure) => {
				voice.status = 'failed';
				voice.failure = failure.message;
			},
		});
		return respond({ voice_clone_id: voice.id });
	});

	route(
		'POST /v3/voices/speech',
		// Only `model_id` is documented; there is an engine value with an unknown name.
		{ needs: 'generation' },
		({ body }) => {
			limitSpeechRate(service);
			requireVoice(service, body.voice_id);
			if (body.settings?.model_id && !service.state.workspace.otherVendors) {
				throw createError(
					403,
					'ai_vendor_access_restricted',
					'The workspace does not allow models of other vendors',
					'settings.model_id',
				);
			}
			requireAllowedText(body.text, 'text');
			if (!/[\p{L}\p{N}]/u.test(body.text)) {
				throw createError(400, 'tts_text_invalid', 'The text contains no words to speak', 'text');
			}
			const words = body.text
				.replace(/<[^>]*>/g, ' ')
				.split(/\s+/)
				.filter(Boolean);
			return respond({
				audio_url: createMediaUrl(service, createId('speech_'), 'speech.wav'),
				duration: estimateSpeechSeconds(body.text),
				request_id: createId(),
				word_timestamps: words.map((word, index) => ({
					word,
					start: index * 0.4,
					end: index * 0.4 + 0.35,
				})),
			});
		},
	);

	route('GET /v3/voices/{voice_id}', ({ params }) => {
		const voice = findVoice(params.voice_id);
		return respond({
			voice_id: voice.id,
			support_pause: voice.supportPause,
			support_interactive_avatar: false,
			name: voice.name,
			language: voice.language,
			gender: voice.gender,
			preview_audio_url: buildPreviewUrl(voice),
			status: voice.status,
			failure_message: voice.failure,
			created_at: voice.created === null ? null : Math.floor(voice.created),
		});
	});

	route('DELETE /v3/voices/{voice_id}', ({ params }) => {
		const voice = findVoice(params.voice_id);
		if (voice.type === 'public') {
			throw createError(403, 'resource_access_denied', 'A catalog voice cannot be deleted');
		}
		service.state.voices.delete(voice.id);
		return respond({ voice_id: voice.id });
	});
}
