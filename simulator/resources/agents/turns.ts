import { emit } from '../../deliver';
import { endJob, startJob, type Step } from '../../jobs';
import { mediaUrl, publicUrl } from '../../media';
import { requireGlossary, requireKit, requireLook, requireVoice } from '../../references';
import type { Composition, Failure, Session, Video } from '../../rows';
import type { Service } from '../../service';
import { add, newId } from '../../store';
import { addVideo, finishVideo } from '../videos/render';
import { storyboard } from './storyboard';

export function say(
	service: Service,
	session: Session,
	role: 'user' | 'model',
	content: string,
	more = {},
) {
	session.messages.push({
		role,
		type: 'text',
		content,
		created_at: Math.floor(service.clock.now()),
		resource_ids: [],
		...more,
	});
}

function offer(service: Service, session: Session, type: string, more: Record<string, unknown>) {
	const id = newId(type === 'draft' ? 'draft_' : 'res_');
	session.resources.set(id, {
		resource_id: id,
		resource_type: type,
		source_type: 'generated',
		url: null,
		thumbnail_url: publicUrl(service.baseUrl, id, 'thumbnail.jpg'),
		preview_url: null,
		created_at: Math.floor(service.clock.now()),
		metadata: {},
		...more,
	});
	return id;
}

export function startDraft(service: Service, session: Session, composition?: Composition) {
	const video = addVideo(service, {
		title: session.title,
		sessionId: session.id,
		composition: composition ?? storyboard(service, session),
		duration: 12.5,
		captions: 'burned',
	});
	session.videoId = video.id;
	session.videoIds.push(video.id);
	return video;
}

const titleOf = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);

/** One turn: thinking, then either a question back or a film. */
export function runTurn(
	service: Service,
	session: Session,
	turn: { text: string; draft?: Video; failure?: Failure | null },
) {
	endJob(service, session.id);
	session.status = 'thinking';
	session.progress = 0;
	session.error = null;
	const asks = session.mode === 'chat' && turn.text.trimEnd().endsWith('?') && !turn.draft;
	let draft = turn.draft;

	const steps: Step[] = [
		{
			share: 0.25,
			run: () => {
				session.title ??= titleOf(session.prompt);
				if (asks) {
					const board = offer(service, session, 'draft', { url: null });
					session.status = 'waiting_for_input';
					say(service, session, 'model', 'Here is a storyboard. Shall I film it?', {
						type: 'resource',
						resource_ids: [board],
					});
					return;
				}
				draft ??= startDraft(service, session);
				draft.title ??= session.title;
				draft.status = 'processing';
				session.status = 'generating';
				session.progress = 25;
				say(service, session, 'model', 'I have a script and start filming.');
			},
		},
		{ share: 0.6, run: () => void (session.progress = asks ? 0 : 60) },
		{
			share: 0.9,
			run: () => {
				if (asks) return;
				session.status = 'reviewing';
				session.progress = 90;
			},
		},
	];

	startJob(service, 'session', {
		id: session.id,
		record: session,
		steps,
		failure: turn.failure ?? null,
		complete: (at) => {
			if (asks || !draft) return;
			finishVideo(draft, at);
			session.status = 'completed';
			session.progress = 100;
			const film = offer(service, session, 'video', {
				url: mediaUrl(service, draft.id, 'video.mp4'),
			});
			say(service, session, 'model', 'The film is ready.', {
				type: 'resource',
				resource_ids: [film],
			});
			const data = {
				session_id: session.id,
				video_id: draft.id,
				url: mediaUrl(service, draft.id, 'video.mp4'),
				callback_id: session.callbackId,
			};
			emit(service, 'video_agent.success', data, session.callbackUrl);
		},
		fail: (failure) => {
			session.status = 'failed';
			session.error = failure;
			if (draft) {
				draft.status = 'failed';
				draft.failure = failure;
			}
			say(service, session, 'model', failure.message, { type: 'error' });
			const data = {
				session_id: session.id,
				video_id: draft?.id ?? null,
				error: failure,
				msg: failure.message,
				callback_id: session.callbackId,
			};
			emit(service, 'video_agent.fail', data, session.callbackUrl);
		},
	});
}

export const failureIn = (text: string): Failure | null =>
	text.includes('FAIL')
		? { code: 'generation_failed', message: 'The film could not be made' }
		: null;

interface Opening {
	prompt: string;
	mode?: 'generate' | 'chat' | undefined;
	avatar_id?: string | null | undefined;
	voice_id?: string | null | undefined;
	orientation?: 'landscape' | 'portrait' | null | undefined;
	brand_kit_id?: string | null | undefined;
	brand_glossary_id?: string | null | undefined;
	callback_url?: string | null | undefined;
	callback_id?: string | null | undefined;
}

export function openSession(
	service: Service,
	body: Opening,
	options: { draftAtOnce?: boolean } = {},
) {
	const look = requireLook(service, body.avatar_id);
	const voice = requireVoice(service, body.voice_id);
	const session = add<Session>(service.state, service.state.sessions, {
		id: newId('sess_'),
		status: 'thinking',
		mode: body.mode ?? 'generate',
		prompt: body.prompt,
		title: null,
		created: service.clock.now(),
		progress: 0,
		videoId: null,
		videoIds: [],
		messages: [],
		resources: new Map(),
		error: null,
		brandGlossaryId: requireGlossary(service, body),
		brandKitId: requireKit(service, body.brand_kit_id),
		avatarId: look?.id ?? 'look_001_1',
		voiceId: voice?.id ?? 'voice_001',
		orientation: body.orientation ?? 'landscape',
		callbackUrl: body.callback_url ?? null,
		callbackId: body.callback_id ?? null,
	});
	say(service, session, 'user', body.prompt);
	const draft = options.draftAtOnce ? { draft: startDraft(service, session) } : {};
	runTurn(service, session, { text: body.prompt, failure: failureIn(body.prompt), ...draft });
	return session;
}
