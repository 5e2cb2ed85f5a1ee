import { emitEvent } from '../../deliveries';
import { stopJob, startJob, type JobStep } from '../../jobs';
import { createMediaUrl, buildPublicUrl } from '../../media';
import { requireBrandGlossary, requireBrandKit, requireLook, requireVoice } from '../../references';
import type { Composition, Failure, WaitingStatus, AgentSession, Video } from '../../rows';
import type { Service } from '../../service';
import { addRow, createId } from '../../store';
import { addVideo, finishVideo } from '../videos/render';
import { createStoryboard } from './storyboard';

export function addMessage(
	service: Service,
	session: AgentSession,
	role: 'user' | 'model',
	content: string,
	fields = {},
) {
	session.messages.push({
		role,
		type: 'text',
		content,
		created_at: Math.floor(service.clock.now()),
		resource_ids: [],
		...fields,
	});
}

function addResource(
	service: Service,
	session: AgentSession,
	type: string,
	fields: Record<string, unknown>,
) {
	const id = createId(type === 'draft' ? 'draft_' : 'res_');
	session.resources.set(id, {
		resource_id: id,
		resource_type: type,
		source_type: 'generated',
		url: null,
		thumbnail_url: buildPublicUrl(service.baseUrl, id, 'thumbnail.jpg'),
		preview_url: null,
		created_at: Math.floor(service.clock.now()),
		metadata: {},
		...fields,
	});
	return id;
}

/** Starts the video of a turn: from edited scenes, from the previous video, or from a new storyboard. */
function startDraft(service: Service, session: AgentSession, edited?: Composition) {
	const last = service.state.videos.get(session.videoId ?? '')?.composition;
	const lastComposition = last
		? { ...structuredClone(last), edit_version: createId('ev_') }
		: undefined;
	const video = addVideo(service, {
		title: session.title,
		sessionId: session.id,
		composition: edited ?? lastComposition ?? createStoryboard(service, session),
		duration: 12.5,
		captions: 'burned',
	});
	session.videoId = video.id;
	session.videoIds.push(video.id);
	return video;
}

const createTitle = (text: string) => {
	const title = text.replace(/\s+/g, ' ');
	return title.length > 60 ? `${title.slice(0, 59)}…` : title;
};
const isQuestion = (text: string) => text.trimEnd().endsWith('?');

const findFailure = (text: string): Failure | null =>
	text.includes('FAIL')
		? { code: 'generation_failed', message: 'The video could not be rendered' }
		: null;

export interface Turn {
	text: string;
	/** Whether the user replies to a storyboard. */
	isApproval?: boolean;
	/** The scenes after an edit plan. */
	editedComposition?: Composition | undefined;
	/** Creates the video at the start of the turn, not when rendering starts. */
	draftAtOnce?: boolean;
}

/** Whether the session waits for a message. In mode `generate` it continues automatically. */
export const isWaitingForUser = ({ mode, status }: AgentSession) =>
	status === 'waiting_for_input' || (mode === 'chat' && status === 'reviewing');

/** Returns the status in which the turn waits for its user, or null if it renders a video. */
function getWaitingStatus(
	{ state }: Service,
	session: AgentSession,
	turn: Turn,
): WaitingStatus | null {
	if (session.mode !== 'chat') return null;
	const requested = state.restNext.shift();
	if (requested) return requested;
	if (turn.editedComposition) return null;
	if (isQuestion(turn.text)) return 'waiting_for_input';
	return turn.isApproval ? null : 'reviewing';
}

function showStoryboard(service: Service, session: AgentSession, status: WaitingStatus) {
	session.status = status;
	const text =
		status === 'reviewing' ? 'Here is the storyboard.' : 'Should I render this storyboard?';
	addMessage(service, session, 'model', text, {
		type: 'resource',
		resource_ids: [addResource(service, session, 'draft', { url: null })],
	});
}

/** Runs one turn: thinking, then a storyboard for the user or a video. Returns the draft video. */
export function runTurn(service: Service, session: AgentSession, turn: Turn): Video | null {
	stopJob(service, session.id);
	Object.assign(session, { status: 'thinking', progress: 0, error: null });
	const waitingStatus = getWaitingStatus(service, session, turn);
	let hasStartedVideo = false;
	let draft =
		turn.draftAtOnce && waitingStatus === null
			? startDraft(service, session, turn.editedComposition)
			: null;

	const startVideo = () => {
		hasStartedVideo = true;
		draft ??= startDraft(service, session, turn.editedComposition);
		draft.title ??= session.title;
		draft.status = 'processing';
		session.status = 'generating';
		session.progress = 25;
		addMessage(service, session, 'model', 'The script is ready. I am rendering the video.');
	};

	const steps: JobStep[] = [
		{
			share: 0.25,
			run: () => {
				session.title ??= createTitle(session.prompt);
				const isFailing = service.state.jobs.get(session.id)?.failure;
				if (waitingStatus && !isFailing) showStoryboard(service, session, waitingStatus);
				else if (session.mode === 'generate' && isQuestion(turn.text)) {
					showStoryboard(service, session, 'waiting_for_input');
				} else startVideo();
			},
		},
		{
			share: 0.4,
			run: () => {
				if (!waitingStatus && !hasStartedVideo) startVideo();
			},
		},
		{
			share: 0.6,
			run: () => {
				if (hasStartedVideo) session.progress = 60;
			},
		},
		{
			share: 0.9,
			run: () => {
				if (!hasStartedVideo) return;
				session.progress = 90;
				// In a chat, this status means that the session waits for its user.
				if (session.mode === 'generate') session.status = 'reviewing';
			},
		},
	];

	startJob(service, 'session', {
		id: session.id,
		record: session,
		steps,
		failure: findFailure(turn.text),
		complete: (at) => {
			if (!draft) return;
			finishVideo(draft, at);
			Object.assign(session, { status: 'completed', progress: 100 });
			const createUrl = () => createMediaUrl(service, draft?.id ?? '', 'video.mp4');
			addMessage(service, session, 'model', 'The video is ready.', {
				type: 'resource',
				resource_ids: [addResource(service, session, 'video', { url: createUrl() })],
			});
			const data = {
				session_id: session.id,
				video_id: draft.id,
				url: createUrl(),
				callback_id: session.callbackId,
			};
			emitEvent(service, 'video_agent.success', data, session.callbackUrl);
		},
		fail: (failure) => {
			Object.assign(session, { status: 'failed', error: failure });
			if (draft) Object.assign(draft, { status: 'failed', failure });
			addMessage(service, session, 'model', failure.message, { type: 'error' });
			const data = {
				session_id: session.id,
				video_id: draft?.id ?? null,
				error: failure,
				msg: failure.message,
				callback_id: session.callbackId,
			};
			emitEvent(service, 'video_agent.fail', data, session.callbackUrl);
		},
	});
	return draft;
}

interface SessionInput {
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
	body: SessionInput,
	options: { draftAtOnce?: boolean } = {},
) {
	const look = requireLook(service, body.avatar_id);
	const voice = requireVoice(service, body.voice_id);
	const session = addRow<AgentSession>(service.state, service.state.sessions, {
		id: createId('sess_'),
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
		brandGlossaryId: requireBrandGlossary(service, body),
		brandKitId: requireBrandKit(service, body.brand_kit_id),
		avatarId: look?.id ?? 'look_001_1',
		voiceId: voice?.id ?? 'voice_001',
		orientation: body.orientation ?? 'landscape',
		callbackUrl: body.callback_url ?? null,
		callbackId: body.callback_id ?? null,
	});
	addMessage(service, session, 'user', body.prompt);
	runTurn(service, session, { text: body.prompt, ...options });
	return session;
}
