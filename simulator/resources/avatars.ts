import { emitEvent } from '../deliveries';
import { createInvalidParameterError, createError } from '../errors';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { startJob } from '../jobs';
import { buildPublicUrl } from '../media';
import {
	requireAsset,
	requireAllowedText,
	requireLook,
	requirePlan,
	requireVoice,
} from '../references';
import type { AvatarStatus, AvatarGroup, AvatarLook } from '../rows';
import type { Requests, Schemas } from '../requestTypes';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';

/** A photo for an existing avatar trains it. Which endpoint emits which event is undocumented. */
function getEventName({ type, avatar_group_id }: Requests['POST /v3/avatars']['body']) {
	if (type === 'digital_twin') return 'instant_avatar';
	return type === 'photo' && avatar_group_id ? 'photo_avatar_train' : 'photo_avatar_generation';
}

export function registerAvatars(route: Route, service: Service) {
	const buildPictureUrl = (id: string) => buildPublicUrl(service.baseUrl, id, 'thumbnail.jpg');
	const buildVideoUrl = (id: string) => buildPublicUrl(service.baseUrl, id, 'video.mp4');
	const listLooks = (group: AvatarGroup) =>
		[...service.state.looks.values()].filter((look) => look.groupId === group.id);

	const viewGroup = (group: AvatarGroup) => ({
		id: group.id,
		name: group.name,
		created_at: Math.floor(group.created),
		looks_count: listLooks(group).length,
		preview_image_url: buildPictureUrl(group.id),
		preview_video_url: buildVideoUrl(group.id),
		gender: group.gender,
		default_voice_id: group.voiceId,
		consent_status: group.consent,
		status: group.status,
		error: group.error,
	});

	const viewLook = (look: AvatarLook) => ({
		id: look.id,
		name: look.name,
		avatar_type: look.type,
		group_id: look.groupId,
		preview_image_url: buildPictureUrl(look.id),
		preview_video_url: buildVideoUrl(look.id),
		gender: look.gender,
		tags: look.tags,
		default_voice_id: service.state.groups.get(look.groupId)?.voiceId ?? null,
		supported_api_engines: look.engines,
		image_width: 1280,
		image_height: 720,
		preferred_orientation: look.orientation,
		status: look.status,
		error: look.error,
	});

	const findGroup = (id: string | undefined) =>
		findRow(service.state.groups, id, 'Avatar', 'avatar_not_found');
	const findLook = (id: string | undefined) =>
		findRow(service.state.looks, id, 'Avatar look', 'avatar_not_found');

	const requirePicture = (input: Schemas['FileInput'], param: string) => {
		const type =
			input.type === 'base64'
				? input.media_type
				: input.type === 'asset_id'
					? service.state.assets.get(input.asset_id)?.mimeType
					: undefined;
		if (type !== undefined && !type.startsWith('image/')) {
			throw createError(422, 'image_processing_failed', `${type} is not an image`, param);
		}
	};

	const rejectPublic = (group: AvatarGroup | undefined) => {
		if (group?.ownership !== 'private') {
			throw createError(403, 'resource_access_denied', 'Catalog avatars cannot be changed');
		}
	};

	/** Starts the training of a look. A digital twin then waits for the consent of the person. */
	function trainLook(look: AvatarLook, group: AvatarGroup, event: string) {
		const endTraining = (status: AvatarStatus, error: AvatarLook['error']) => {
			look.status = status;
			look.error = error;
			if (group.status !== 'completed') Object.assign(group, { status, error });
		};
		// The payload is undocumented. A receiver needs at least the ids.
		const ids = { avatar_id: look.id, group_id: group.id };
		startJob(service, 'avatar', {
			id: look.id,
			record: look,
			complete: () => {
				const needsConsent = look.type === 'digital_twin' && group.consent !== 'approved';
				endTraining(needsConsent ? 'pending_consent' : 'completed', null);
				emitEvent(service, `${event}.success`, ids);
			},
			fail: (failure) => {
				endTraining('failed', failure);
				emitEvent(service, `${event}.fail`, { ...ids, error: failure });
			},
		});
	}

	const addLook = (
		group: AvatarGroup,
		look: Pick<AvatarLook, 'name' | 'type'> & Partial<AvatarLook>,
	) =>
		addRow<AvatarLook>(service.state, service.state.looks, {
			id: createId('look_'),
			groupId: group.id,
			gender: 'unknown',
			tags: [],
			engines:
				look.type === 'photo_avatar' ? ['avatar_iv'] : ['avatar_v', 'avatar_iv', 'avatar_iii'],
			matted: true,
			orientation: 'landscape',
			expired: false,
			status: 'processing',
			error: null,
			...look,
		});

	route('POST /v3/avatars', { needs: 'generation' }, ({ body, now }) => {
		if (body.type === 'prompt') {
			requireAllowedText(body.prompt, 'prompt');
			const reference = requireLook(service, body.avatar_id);
			if (reference && body.avatar_group_id && reference.groupId !== body.avatar_group_id) {
				throw createInvalidParameterError('avatar_id', 'The reference look is not in this group');
			}
			body.reference_images?.forEach((input, index) =>
				requireAsset(service, input, `reference_images[${index}]`),
			);
		} else requireAsset(service, body.file, 'file');
		if (body.type === 'photo') requirePicture(body.file, 'file');
		if (body.avatar_group_id) rejectPublic(findGroup(body.avatar_group_id));
		const group = body.avatar_group_id
			? findGroup(body.avatar_group_id)
			: addRow<AvatarGroup>(service.state, service.state.groups, {
					id: createId('group_'),
					name: body.name,
					created: now,
					gender: 'unknown',
					ownership: 'private',
					voiceId: null,
					status: 'processing',
					consent: body.type === 'digital_twin' ? 'pending' : null,
					error: null,
				});
		const isTwin = body.type === 'digital_twin';
		const look = addLook(group, {
			name: body.name,
			type: isTwin ? 'digital_twin' : 'photo_avatar',
		});
		trainLook(look, group, getEventName(body));
		return respond({ avatar_item: viewLook(look), avatar_group: viewGroup(group) });
	});

	route('GET /v3/avatars', ({ query }) => {
		const rows = [...service.state.groups.values()].filter(
			(group) => !query.ownership || group.ownership === query.ownership,
		);
		return respondWithPage(service, 'avatars', rows, query, viewGroup, 'catalog');
	});

	route('GET /v3/avatars/looks', ({ query }) => {
		const rows = [...service.state.looks.values()].filter(
			(look) =>
				(!query.group_id || look.groupId === query.group_id) &&
				(!query.avatar_type || look.type === query.avatar_type) &&
				(!query.ownership || service.state.groups.get(look.groupId)?.ownership === query.ownership),
		);
		return respondWithPage(service, 'looks', rows, query, viewLook, 'catalog');
	});

	route(
		'POST /v3/avatars/looks',
		// The required fields are undocumented, and there may be more.
		{ needs: 'generation' },
		({ body }) => {
			const reference = requireLook(service, body.reference_look_id, 'reference_look_id');
			if (!reference)
				throw createInvalidParameterError('reference_look_id', 'reference_look_id: Required');
			if (body.type === 'template' && !body.template_id) {
				throw createInvalidParameterError(
					'template_id',
					'template_id: Required for looks from a template',
				);
			}
			const group = findGroup(reference.groupId);
			rejectPublic(group);
			const count = body.type === 'look_pack' ? 3 : 1;
			const looks = Array.from({ length: count }, (_, index) =>
				addLook(group, { name: `${group.name} ${index + 1}`, type: 'photo_avatar' }),
			);
			for (const look of looks) trainLook(look, group, 'photo_avatar_generation');
			return respond({ group_id: group.id, look_ids: looks.map(({ id }) => id) });
		},
	);

	route('GET /v3/avatars/looks/{look_id}', ({ params }) =>
		respond(viewLook(findLook(params.look_id))),
	);

	route('PATCH /v3/avatars/looks/{look_id}', ({ params, body }) => {
		const look = findLook(params.look_id);
		rejectPublic(service.state.groups.get(look.groupId));
		look.name = body.name;
		return respond(viewLook(look));
	});

	route('DELETE /v3/avatars/looks/{look_id}', ({ params }) => {
		const look = findLook(params.look_id);
		const group = findGroup(look.groupId);
		rejectPublic(group);
		service.state.looks.delete(look.id);
		if (listLooks(group).length === 0) service.state.groups.delete(group.id);
		return respond({ id: look.id });
	});

	route('GET /v3/avatars/{group_id}', ({ params }) =>
		respond(viewGroup(findGroup(params.group_id))),
	);

	route('PATCH /v3/avatars/{group_id}', ({ params, body }) => {
		const group = findGroup(params.group_id);
		rejectPublic(group);
		requireVoice(service, body.default_voice_id, 'default_voice_id');
		group.voiceId = body.default_voice_id;
		return respond(viewGroup(group));
	});

	route('DELETE /v3/avatars/{group_id}', ({ params }) => {
		const group = findGroup(params.group_id);
		rejectPublic(group);
		for (const look of listLooks(group)) service.state.looks.delete(look.id);
		service.state.groups.delete(group.id);
		return respond({ id: group.id });
	});

	route('POST /v3/avatars/{group_id}/consent', ({ params, body }) => {
		const group = findGroup(params.group_id);
		rejectPublic(group);
		if (body.consent_text) requirePlan(service, 'enterprise', 'A text', 'consent_text');
		requireAsset(service, body.consent_video, 'consent_video');
		if (body.consent_video) {
			group.consent = 'approved';
			for (const row of [group, ...listLooks(group)]) {
				if (row.status === 'pending_consent') row.status = 'completed';
			}
		}
		const url = body.consent_video ? null : `https://app.example/consent/${group.id}`;
		return respond({ avatar_group: viewGroup(group), url });
	});
}
