import { createNotFoundError, createError } from '../../errors';
import { respond, respondWithList } from '../../http/responses';
import { respondWithPage } from '../../http/pagination';
import type { Route } from '../../http/route';
import { stopJob } from '../../jobs';
import { buildPublicUrl } from '../../media';
import {
	requireAsset,
	requireAssetId,
	requireAllowedText,
	requireBrandKit,
	requireLook,
	requireVoice,
} from '../../references';
import type { Composition, AgentSession } from '../../rows';
import type { Service } from '../../service';
import { findRow, createId } from '../../store';
import { viewVideo } from '../videos/render';
import { applyEditPlan, checkEditPlan } from './storyboard';
import { isWaitingForUser, openSession, runTurn, addMessage } from './turns';

const maxMessagesShown = 40;

const viewSession = (session: AgentSession) => ({
	session_id: session.id,
	status: session.status,
	progress: session.progress,
	title: session.title,
	video_id: session.videoId,
	created_at: Math.floor(session.created),
	messages: [...session.messages].reverse().slice(0, maxMessagesShown),
	...(session.error ? { error: session.error } : {}),
});

export function registerAgents(route: Route, service: Service) {
	const findSession = (id: string | undefined) => findRow(service.state.sessions, id, 'Session');

	// Not in the specification's list of creates that accept an idempotency key.
	route('POST /v3/video-agents', { needs: 'generation', occupies: 'jobs' }, ({ body }) => {
		if (body.style_id) {
			findRow(service.state.styles, body.style_id, 'Style', 'resource_not_found', 'style_id');
		}
		requireAllowedText(body.prompt, 'prompt');
		body.files?.forEach((input, index) => requireAsset(service, input, `files[${index}]`));
		const session = openSession(service, body);
		return respond({
			session_id: session.id,
			status: session.status,
			video_id: session.videoId,
			created_at: Math.floor(session.created),
		});
	});

	route('GET /v3/video-agents', ({ query }) =>
		respondWithPage(service, 'sessions', service.state.sessions.values(), query, (session) => ({
			session_id: session.id,
			created_at: Math.floor(session.created),
			title: session.title,
		})),
	);

	route('GET /v3/video-agents/styles', ({ query }) => {
		const rows = [...service.state.styles.values()].filter(
			({ tags }) => !query.tag || tags.includes(query.tag),
		);
		return respondWithPage(
			service,
			'styles',
			rows,
			query,
			(style) => ({
				style_id: style.id,
				name: style.name,
				thumbnail_url: buildPublicUrl(service.baseUrl, style.id, 'thumbnail.jpg'),
				preview_video_url: buildPublicUrl(service.baseUrl, style.id, 'video.mp4'),
				tags: style.tags,
				aspect_ratio: style.ratio,
			}),
			'catalog',
		);
	});

	route('GET /v3/video-agents/{session_id}', ({ params }) =>
		respond(viewSession(findSession(params.session_id))),
	);

	route(
		'POST /v3/video-agents/{session_id}',
		{ needs: 'generation', occupies: 'jobs' },
		({ params, body }) => {
			const session = findSession(params.session_id);
			requireAllowedText(body.message, 'message');
			const snapshot = body.edit_plan ? checkEditPlan(service, session, body.edit_plan) : null;
			body.files?.forEach((input, index) => requireAsset(service, input, `files[${index}]`));
			const kit = requireBrandKit(service, body.brand_kit_id);
			const look = requireLook(service, body.avatar_id);
			const voice = requireVoice(service, body.voice_id);
			const isApproval = isWaitingForUser(session);
			if (!isApproval && !['completed', 'failed'].includes(session.status)) {
				throw createError(409, 'resource_not_ready', `The session is ${session.status}`);
			}
			if (kit) session.brandKitId = kit;
			if (look) session.avatarId = look.id;
			if (voice) session.voiceId = voice.id;
			const text = body.message ?? body.edit_plan?.map((change) => change.text).join('\n') ?? '';
			addMessage(service, session, 'user', text);
			let edited: Composition | undefined;
			if (snapshot && body.edit_plan) {
				edited = applyEditPlan(snapshot.composition, body.edit_plan);
				snapshot.composition.edit_version = createId('ev_');
			}
			const draft = runTurn(service, session, {
				text,
				isApproval,
				editedComposition: edited,
				draftAtOnce: true,
			});
			return respond({
				session_id: session.id,
				run_id: createId('run_'),
				title: session.title,
				// Null if the turn ends without a video: the previous video is not a new draft.
				video_id: draft?.id ?? null,
			});
		},
	);

	route('POST /v3/video-agents/{session_id}/stop', ({ params }) => {
		const session = findSession(params.session_id);
		if (['thinking', 'generating', 'reviewing'].includes(session.status)) {
			// The status after a stop is undocumented. Here the session waits for its next turn.
			session.status = 'waiting_for_input';
			stopJob(service, session.id);
			addMessage(service, session, 'model', 'I stopped. What would you like instead?');
		}
		return respond({ session_id: session.id });
	});

	route('GET /v3/video-agents/{session_id}/videos', ({ params }) => {
		const newestFirst = findSession(params.session_id).videoIds.toReversed();
		const videos = newestFirst.flatMap((id) => service.state.videos.get(id) ?? []);
		return respondWithList(videos.map((video) => viewVideo(service, video)));
	});

	route('GET /v3/video-agents/{session_id}/resources/{resource_id}', ({ params }) => {
		const resource = findSession(params.session_id).resources.get(params.resource_id ?? '');
		if (!resource)
			throw createNotFoundError('resource_not_found', `Resource ${params.resource_id}`);
		return respond(resource);
	});

	route('POST /v1/video_agent/generate', { needs: 'generation', occupies: 'jobs' }, ({ body }) => {
		body.files?.forEach((file, index) =>
			requireAssetId(service.state, file.asset_id, `files[${index}].asset_id`),
		);
		requireAllowedText(body.prompt, 'prompt');
		const set = { ...body.config, ...body };
		const session = openSession(service, set, { draftAtOnce: true });
		const data = { video_id: session.videoId, session_id: session.id };
		return { status: 200, body: { error: null, data } };
	});
}
