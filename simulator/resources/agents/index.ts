import { z } from 'zod';
import { missing, problem } from '../../errors';
import { ok, okList } from '../../http/answer';
import { page, paging } from '../../http/pages';
import type { Route } from '../../http/route';
import { endJob } from '../../jobs';
import { publicUrl } from '../../media';
import {
	requireAsset,
	requireAssetId,
	requireDecent,
	requireKit,
	requireLook,
	requireVoice,
} from '../../references';
import type { Composition, Session } from '../../rows';
import type { Service } from '../../service';
import { find, newId } from '../../store';
import { viewVideo } from '../videos/render';
import { createBody, legacyBody, turnBody } from './bodies';
import { applyPlan, checkPlan } from './storyboard';
import { isResting, openSession, runTurn, say } from './turns';

const messagesShown = 40;

const view = (session: Session) => ({
	session_id: session.id,
	status: session.status,
	progress: session.progress,
	title: session.title,
	video_id: session.videoId,
	created_at: Math.floor(session.created),
	messages: [...session.messages].reverse().slice(0, messagesShown),
	...(session.error ? { error: session.error } : {}),
});

export function registerAgents(route: Route, service: Service) {
	const read = { scope: 'video_agent:read' };
	const write = { scope: 'video_agent:write' };

	const findSession = (id: string | undefined) => find(service.state.sessions, id, 'Session');

	// The specification's list of creates that take an idempotency key does not name this one.
	route(
		'POST /v3/video-agents',
		{ ...write, needs: 'generation', body: createBody },
		({ body }) => {
			if (body.style_id) {
				find(service.state.styles, body.style_id, 'Style', 'resource_not_found', 'style_id');
			}
			requireDecent(body.prompt, 'prompt');
			body.files?.forEach((input, index) => requireAsset(service, input, `files[${index}]`));
			const session = openSession(service, body);
			return ok({
				session_id: session.id,
				status: session.status,
				video_id: session.videoId,
				created_at: Math.floor(session.created),
			});
		},
	);

	route('GET /v3/video-agents', { ...read, query: paging(20) }, ({ query }) =>
		page(service, 'sessions', service.state.sessions.values(), query, (session) => ({
			session_id: session.id,
			created_at: Math.floor(session.created),
			title: session.title,
		})),
	);

	route(
		'GET /v3/video-agents/styles',
		{ ...read, query: paging(20).extend({ tag: z.string().min(1).optional() }) },
		({ query }) => {
			const rows = [...service.state.styles.values()].filter(
				({ tags }) => !query.tag || tags.includes(query.tag),
			);
			return page(
				service,
				'styles',
				rows,
				query,
				(style) => ({
					style_id: style.id,
					name: style.name,
					thumbnail_url: publicUrl(service.baseUrl, style.id, 'thumbnail.jpg'),
					preview_video_url: publicUrl(service.baseUrl, style.id, 'video.mp4'),
					tags: style.tags,
					aspect_ratio: style.ratio,
				}),
				'catalog',
			);
		},
	);

	route('GET /v3/video-agents/{session_id}', read, ({ params }) =>
		ok(view(findSession(params.session_id))),
	);

	route(
		'POST /v3/video-agents/{session_id}',
		{ ...write, needs: 'generation', body: turnBody },
		({ params, body }) => {
			const session = findSession(params.session_id);
			requireDecent(body.message, 'message');
			const snapshot = body.edit_plan ? checkPlan(service, session, body.edit_plan) : null;
			body.files?.forEach((input, index) => requireAsset(service, input, `files[${index}]`));
			const kit = requireKit(service, body.brand_kit_id);
			const look = requireLook(service, body.avatar_id);
			const voice = requireVoice(service, body.voice_id);
			const approves = isResting(session);
			if (!approves && !['completed', 'failed'].includes(session.status)) {
				throw problem(409, 'resource_not_ready', `The session is ${session.status}`);
			}
			if (kit) session.brandKitId = kit;
			if (look) session.avatarId = look.id;
			if (voice) session.voiceId = voice.id;
			const text = body.message ?? body.edit_plan?.map((change) => change.text).join('\n') ?? '';
			say(service, session, 'user', text);
			let edited: Composition | undefined;
			if (snapshot && body.edit_plan) {
				edited = applyPlan(snapshot.composition, body.edit_plan);
				snapshot.composition.edit_version = newId('ev_');
			}
			const draft = runTurn(service, session, { text, approves, edited, draftAtOnce: true });
			return ok({
				session_id: session.id,
				run_id: newId('run_'),
				title: session.title,
				// Null when the turn comes to rest: the film made before is no new draft.
				video_id: draft?.id ?? null,
			});
		},
	);

	route('POST /v3/video-agents/{session_id}/stop', write, ({ params }) => {
		const session = findSession(params.session_id);
		if (['thinking', 'generating', 'reviewing'].includes(session.status)) {
			// What follows a stop is unknown; here the session waits for its next turn.
			session.status = 'waiting_for_input';
			endJob(service, session.id);
			say(service, session, 'model', 'I stopped. What would you like instead?');
		}
		return ok({ session_id: session.id });
	});

	route('GET /v3/video-agents/{session_id}/videos', read, ({ params }) => {
		const newestFirst = findSession(params.session_id).videoIds.toReversed();
		const videos = newestFirst.flatMap((id) => service.state.videos.get(id) ?? []);
		return okList(videos.map((video) => viewVideo(service, video)));
	});

	route('GET /v3/video-agents/{session_id}/resources/{resource_id}', read, ({ params }) => {
		const resource = findSession(params.session_id).resources.get(params.resource_id ?? '');
		if (!resource) throw missing('resource_not_found', `Resource ${params.resource_id}`);
		return ok(resource);
	});

	route(
		'POST /v1/video_agent/generate',
		{ ...write, needs: 'generation', body: legacyBody },
		({ body }) => {
			body.files?.forEach((file, index) =>
				requireAssetId(service.state, file.asset_id, `files[${index}].asset_id`),
			);
			requireDecent(body.prompt, 'prompt');
			const set = { ...body.config, ...body };
			const session = openSession(service, set, { draftAtOnce: true });
			const data = { video_id: session.videoId, session_id: session.id };
			return { status: 200, body: { error: null, data } };
		},
	);
}
