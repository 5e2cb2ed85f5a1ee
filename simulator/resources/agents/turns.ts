import { emit } from '../../deliver';
import { endJob, startJob, type Step } from '../../jobs';
import { mediaUrl, publicUrl } from '../../media';
import { requireGlossary, requireKit, requireLook, requireVoice } from '../../references';
import type { Composition, Failure, Rest, Session, Video } from '../../rows';
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

/** The film of a turn: as edited, or like the session's last one, or new. */
function startDraft(service: Service, session: Session, edited?: Composition) {
	const last = service.state.videos.get(session.videoId ?? '')?.composition;
	const copy = last ? { ...structuredClone(last), edit_version: newId('ev_') } : undefined;
	const video = addVideo(service, {
		title: session.title,
		sessionId: session.id,
		composition: edited ?? copy ?? storyboard(service, session),
		duration: 12.5,
		captions: 'burned',
	});
	session.videoId = video.id;
	session.videoIds.push(video.id);
	return video;
}

const titleOf = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);
const asks = (text: string) => text.trimEnd().endsWith('?');

const failureIn = (text: string): Failure | null =>
	text.includes('FAIL')
		? { code: 'generation_failed', message: 'The film could not be made' }
		: null;

export interface Turn {
	text: string;
	/** The user answers a storyboard that was shown. */
	approves?: boolean;
	/** The scenes as an edit plan changed them. */
	edited?: Composition | undefined;
	/** The draft exists from the start, not only when filming begins. */
	draftAtOnce?: boolean;
}

/** The states in which only the user goes on. In mode `generate` both pass by themselves. */
export const isResting = ({ mode, status }: Session) =>
	status === 'waiting_for_input' || (mode === 'chat' && status === 'reviewing');

/** Where a turn leaves a chat to its user; null when it leads to a film. */
function restOf({ state }: Service, session: Session, turn: Turn): Rest | null {
	if (session.mode !== 'chat') return null;
	const told = state.restNext.shift();
	if (told) return told;
	if (turn.edited) return null;
	if (asks(turn.text)) return 'waiting_for_input';
	return turn.approves ? null : 'reviewing';
}

function showStoryboard(service: Service, session: Session, status: Rest) {
	session.status = status;
	const text = status === 'reviewing' ? 'Here is the storyboard.' : 'Shall I film this storyboard?';
	say(service, session, 'model', text, {
		type: 'resource',
		resource_ids: [offer(service, session, 'draft', { url: null })],
	});
}

/** One turn: thinking, then either a storyboard for the user or a film. Gives the film's draft. */
export function runTurn(service: Service, session: Session, turn: Turn): Video | null {
	endJob(service, session.id);
	Object.assign(session, { status: 'thinking', progress: 0, error: null });
	const rest = restOf(service, session, turn);
	let filming = false;
	let draft = turn.draftAtOnce && rest === null ? startDraft(service, session, turn.edited) : null;

	const startFilming = () => {
		filming = true;
		draft ??= startDraft(service, session, turn.edited);
		draft.title ??= session.title;
		draft.status = 'processing';
		session.status = 'generating';
		session.progress = 25;
		say(service, session, 'model', 'I have a script and start filming.');
	};

	const steps: Step[] = [
		{
			share: 0.25,
			run: () => {
				session.title ??= titleOf(session.prompt);
				const fails = service.state.jobs.get(session.id)?.failure;
				if (rest && !fails) showStoryboard(service, session, rest);
				else if (session.mode === 'generate' && asks(turn.text)) {
					showStoryboard(service, session, 'waiting_for_input');
				} else startFilming();
			},
		},
		{
			share: 0.4,
			run: () => {
				if (!rest && !filming) startFilming();
			},
		},
		{
			share: 0.6,
			run: () => {
				if (filming) session.progress = 60;
			},
		},
		{
			share: 0.9,
			run: () => {
				if (!filming) return;
				session.progress = 90;
				// In a chat this state is for the user.
				if (session.mode === 'generate') session.status = 'reviewing';
			},
		},
	];

	startJob(service, 'session', {
		id: session.id,
		record: session,
		steps,
		failure: failureIn(turn.text),
		complete: (at) => {
			if (!draft) return;
			finishVideo(draft, at);
			Object.assign(session, { status: 'completed', progress: 100 });
			const url = () => mediaUrl(service, draft?.id ?? '', 'video.mp4');
			say(service, session, 'model', 'The film is ready.', {
				type: 'resource',
				resource_ids: [offer(service, session, 'video', { url: url() })],
			});
			const data = {
				session_id: session.id,
				video_id: draft.id,
				url: url(),
				callback_id: session.callbackId,
			};
			emit(service, 'video_agent.success', data, session.callbackUrl);
		},
		fail: (failure) => {
			Object.assign(session, { status: 'failed', error: failure });
			if (draft) Object.assign(draft, { status: 'failed', failure });
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
	return draft;
}

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
	runTurn(service, session, { text: body.prompt, ...options });
	return session;
}
