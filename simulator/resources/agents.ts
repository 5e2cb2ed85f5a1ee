import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { invalid, missing, problem } from '../errors';
import { startJob, type Step } from '../jobs';
import { mediaUrl, publicUrl } from '../media';
import {
	requireAsset,
	requireAssetId,
	requireGlossary,
	requireKit,
	requireLook,
	requireVoice,
} from '../references';
import { ok, page, paging, route } from '../route';
import { assetInput, callback, optionalText, webAddress } from '../schemas';
import {
	add,
	newId,
	type Composition,
	type Failure,
	type Service,
	type Session,
	type Video,
} from '../store';
import { addVideo, finishVideo, viewVideo } from './videos';

const prompt = z.string().min(1).max(10_000);
const files = z.array(assetInput).max(20).nullish();

const createBody = z
	.object({
		prompt,
		mode: z.enum(['generate', 'chat']).optional(),
		style_id: optionalText,
		brand_kit_id: optionalText,
		brand_glossary_id: z.string().min(1).nullish(),
		avatar_id: optionalText,
		voice_id: optionalText,
		orientation: z.enum(['landscape', 'portrait']).nullish(),
		files,
		incognito_mode: z.boolean().optional(),
		// Values other than `private` are unknown.
		visibility: z.string().optional(),
		...callback,
	})
	.strict();

const legacyConfig = {
	duration_sec: z.number().int().min(5).nullish(),
	orientation: z.enum(['landscape', 'portrait']).nullish(),
	avatar_id: optionalText,
	voice_id: optionalText,
};

const legacyBody = z
	.object({
		prompt,
		...legacyConfig,
		files: z
			.array(z.object({ asset_id: z.string().min(1) }).strict())
			.max(20)
			.nullish(),
		callback_url: webAddress.nullish(),
		callback_id: optionalText,
		incognito_mode: z.boolean().nullish(),
		config: z.object(legacyConfig).strict().nullish(),
	})
	.strict();

const turnBody = z
	.object({
		message: prompt.optional(),
		edit_plan: z
			.array(
				z
					.object({
						scene_id: z.string().min(1),
						text: z.string().min(1),
						scene_snapshot_video_id: z.string().min(1),
						edit_version: z.string().min(1),
					})
					.strict(),
			)
			.min(1)
			.max(50)
			.optional(),
		brand_kit_id: optionalText,
		avatar_id: optionalText,
		voice_id: optionalText,
		files,
	})
	.strict()
	.refine((body) => body.message !== undefined || body.edit_plan !== undefined, {
		message: 'is required unless an edit_plan is sent',
		path: ['message'],
	});

type EditPlan = NonNullable<z.infer<typeof turnBody>['edit_plan']>;

const MESSAGES_SHOWN = 40;

const view = (session: Session) => ({
	session_id: session.id,
	status: session.status,
	progress: session.progress,
	title: session.title,
	video_id: session.videoId,
	created_at: Math.floor(session.created),
	messages: [...session.messages].reverse().slice(0, MESSAGES_SHOWN),
	...(session.error ? { error: session.error } : {}),
});

function say(
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

/** What a session films: three scenes that show every kind of element between them. */
function storyboard(service: Service, session: Session): Composition {
	const spoken = (text: string) => ({
		type: 'text',
		id: newId('script_'),
		text,
		voice_id: session.voiceId,
		voice_settings: null,
		trim_to_speech: true,
	});
	const picture = () => publicUrl(service.baseUrl, session.id, 'thumbnail.jpg');
	return {
		edit_version: newId('ev_'),
		video: {
			title: session.title,
			aspect_ratio: session.orientation === 'portrait' ? '9:16' : '16:9',
			resolution: '1080p',
			caption: { enabled: true },
			brand_glossary_id: session.brandGlossaryId,
		},
		scenes: [
			{
				id: newId('scene_'),
				background: { type: 'color', color: '#FFFFFF' },
				elements: [
					{
						type: 'avatar',
						id: newId('el_'),
						avatar_id: session.avatarId,
						engine: 'avatar_iv',
						expressiveness: 'medium',
						motion_prompt: null,
					},
				],
				script: spoken(`Let us talk about this: ${session.prompt.slice(0, 200)}`),
			},
			{
				id: newId('scene_'),
				background: { type: 'image', id: newId('bg_'), url: picture() },
				elements: [
					{
						type: 'container',
						id: newId('el_'),
						container_type: 'group',
						children: [
							{ type: 'image', id: newId('el_'), url: picture() },
							{ type: 'placeholder', id: newId('el_'), element_type: 'text' },
						],
					},
				],
				script: spoken('Here is what matters most.'),
			},
			{
				id: newId('scene_'),
				background: null,
				elements: [
					{
						type: 'video',
						id: newId('el_'),
						url: publicUrl(service.baseUrl, session.id, 'video.mp4'),
						playback: 'loop',
						trim: null,
						volume: 0.4,
						speed_multiplier: 1,
					},
				],
				script: { type: 'silence', id: newId('script_'), duration: 2 },
			},
		],
	};
}

/** Words in quotes become the new script; any other change is noted behind the old one. */
function applyPlan(composition: Composition, plan: EditPlan): Composition {
	const edited = structuredClone(composition);
	edited.edit_version = newId('ev_');
	for (const change of plan) {
		const scene = edited.scenes.find(({ id }) => id === change.scene_id);
		const script = scene?.script as { type: string; text?: string } | null | undefined;
		if (script?.type !== 'text') continue;
		const quoted = /["“](.+)["”]/.exec(change.text)?.[1];
		script.text = quoted ?? `${script.text} (${change.text})`;
	}
	return edited;
}

/** Checks the whole plan before anything changes; scenes first, then versions. */
function checkPlan(service: Service, session: Session, plan: EditPlan) {
	const snapshots = plan.map((item, index) => {
		const at = `edit_plan[${index}]`;
		const video = service.state.videos.get(item.scene_snapshot_video_id);
		if (!video?.composition || !session.videoIds.includes(video.id)) {
			throw invalid(`${at}.scene_snapshot_video_id`, 'This video is no draft of the session');
		}
		if (!video.composition.scenes.some(({ id }) => id === item.scene_id)) {
			throw invalid(`${at}.scene_id`, `Scene ${item.scene_id} is not in the snapshot`);
		}
		return { video, composition: video.composition };
	});
	plan.forEach((item, index) => {
		if (snapshots[index]?.composition.edit_version !== item.edit_version) {
			throw problem(
				409,
				'stale_edit_version',
				'The scenes changed since they were read',
				`edit_plan[${index}].edit_version`,
			);
		}
	});
	return snapshots[0] as { video: Video; composition: Composition };
}

function startDraft(service: Service, session: Session, composition?: Composition) {
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

/** What is left of a turn does nothing any more. */
function endTurn(service: Service, session: Session) {
	const job = service.state.jobs.get(session.id);
	if (job) job.ended = true;
}

/** One turn: thinking, then either a question back or a film. */
function runTurn(
	service: Service,
	session: Session,
	turn: { text: string; draft?: Video; failure?: Failure | null },
) {
	endTurn(service, session);
	session.status = 'thinking';
	session.progress = 0;
	session.error = null;
	const { deliverer } = service;
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
			deliverer.emit(
				'video_agent.success',
				{
					session_id: session.id,
					video_id: draft.id,
					url: mediaUrl(service, draft.id, 'video.mp4'),
					callback_id: session.callbackId,
				},
				{ url: session.callbackUrl },
			);
		},
		fail: (failure) => {
			session.status = 'failed';
			session.error = failure;
			if (draft) {
				draft.status = 'failed';
				draft.failure = failure;
			}
			say(service, session, 'model', failure.message, { type: 'error' });
			deliverer.emit(
				'video_agent.fail',
				{
					session_id: session.id,
					video_id: draft?.id ?? null,
					error: failure,
					msg: failure.message,
					callback_id: session.callbackId,
				},
				{ url: session.callbackUrl },
			);
		},
	});
}

const failureIn = (text: string): Failure | null =>
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

function openSession(service: Service, body: Opening, options: { draftAtOnce?: boolean } = {}) {
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

export function registerAgents(app: FastifyInstance, service: Service) {
	const read = { scope: 'video_agent:read' };
	const write = { scope: 'video_agent:write' };

	const find = (id: string | undefined) => {
		const session = service.state.sessions.get(id ?? '');
		if (!session) throw missing('not_found', `Session ${id}`);
		return session;
	};

	// The specification's list of creates that take an idempotency key does not name this one.
	route(app, service, 'POST /v3/video-agents', { ...write, body: createBody }, ({ body }) => {
		if (body.style_id && !service.state.styles.has(body.style_id)) {
			throw missing('resource_not_found', `Style ${body.style_id}`, 'style_id');
		}
		body.files?.forEach((input, index) => requireAsset(service, input, `files[${index}]`));
		const session = openSession(service, body);
		return ok({
			session_id: session.id,
			status: session.status,
			video_id: session.videoId,
			created_at: Math.floor(session.created),
		});
	});

	route(
		app,
		service,
		'GET /v3/video-agents',
		{ ...read, query: z.object(paging(20)).strict() },
		({ query }) =>
			page(service, 'sessions', service.state.sessions.values(), query, (session) => ({
				session_id: session.id,
				created_at: Math.floor(session.created),
				title: session.title,
			})),
	);

	route(
		app,
		service,
		'GET /v3/video-agents/styles',
		{ ...read, query: z.object({ ...paging(20), tag: z.string().min(1).optional() }).strict() },
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

	route(app, service, 'GET /v3/video-agents/{session_id}', read, ({ params }) =>
		ok(view(find(params.session_id))),
	);

	route(
		app,
		service,
		'POST /v3/video-agents/{session_id}',
		{ ...write, body: turnBody },
		({ params, body }) => {
			const session = find(params.session_id);
			const snapshot = body.edit_plan ? checkPlan(service, session, body.edit_plan) : null;
			body.files?.forEach((input, index) => requireAsset(service, input, `files[${index}]`));
			const kit = requireKit(service, body.brand_kit_id);
			const look = requireLook(service, body.avatar_id);
			const voice = requireVoice(service, body.voice_id);
			if (!['completed', 'failed', 'waiting_for_input'].includes(session.status)) {
				throw problem(409, 'resource_not_ready', `The session is ${session.status}`);
			}
			if (kit) session.brandKitId = kit;
			if (look) session.avatarId = look.id;
			if (voice) session.voiceId = voice.id;
			const spoken = body.message ?? body.edit_plan?.map(({ text }) => text).join('\n') ?? '';
			say(service, session, 'user', spoken);
			const asks = !body.edit_plan && session.mode === 'chat' && spoken.trimEnd().endsWith('?');
			let draft: Video | undefined;
			if (!asks) {
				const base = service.state.videos.get(session.videoId ?? '')?.composition;
				const composition =
					snapshot && body.edit_plan
						? applyPlan(snapshot.composition, body.edit_plan)
						: base
							? { ...structuredClone(base), edit_version: newId('ev_') }
							: undefined;
				draft = startDraft(service, session, composition);
				if (snapshot) snapshot.composition.edit_version = newId('ev_');
			}
			runTurn(service, session, {
				text: spoken,
				failure: failureIn(spoken),
				...(draft ? { draft } : {}),
			});
			return ok({
				session_id: session.id,
				run_id: newId('run_'),
				title: session.title,
				// Null when the agent asks back: the film it made before is no new draft.
				video_id: draft?.id ?? null,
			});
		},
	);

	route(app, service, 'POST /v3/video-agents/{session_id}/stop', write, ({ params }) => {
		const session = find(params.session_id);
		if (['thinking', 'generating', 'reviewing'].includes(session.status)) {
			// What follows a stop is unknown; here the session waits for its next turn.
			session.status = 'waiting_for_input';
			endTurn(service, session);
			say(service, session, 'model', 'I stopped. What would you like instead?');
		}
		return ok({ session_id: session.id });
	});

	route(
		app,
		service,
		'GET /v3/video-agents/{session_id}/videos',
		{ ...read, query: z.object(paging(20)).strict() },
		({ params, query }) => {
			const session = find(params.session_id);
			const rows = session.videoIds.flatMap((id) => service.state.videos.get(id) ?? []);
			return page(service, `${session.id} videos`, rows, query, (video) =>
				viewVideo(service, video),
			);
		},
	);

	route(
		app,
		service,
		'GET /v3/video-agents/{session_id}/resources/{resource_id}',
		read,
		({ params }) => {
			const resource = find(params.session_id).resources.get(params.resource_id ?? '');
			if (!resource) throw missing('resource_not_found', `Resource ${params.resource_id}`);
			return ok(resource);
		},
	);

	route(
		app,
		service,
		'POST /v1/video_agent/generate',
		{ ...write, body: legacyBody },
		({ body }) => {
			body.files?.forEach((file, index) =>
				requireAssetId(service.state, file.asset_id, `files[${index}].asset_id`),
			);
			const set = { ...body.config, ...body };
			const session = openSession(service, set, { draftAtOnce: true });
			const data = { video_id: session.videoId, session_id: session.id };
			return { status: 200, body: { error: null, data } };
		},
	);
}
