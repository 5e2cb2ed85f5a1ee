import { createInvalidParameterError, createError } from '../../errors';
import {
	requireAsset,
	requireAssetId,
	requireAllowedText,
	requireBrandGlossary,
	requireLook,
	requirePlan,
	requireReachable,
	requireSpeech,
} from '../../references';
import type { Requests, Schemas } from '../../requestTypes';
import type { Service } from '../../service';

export type VideoBody = Requests['POST /v3/videos']['body'];

/** Checks the rules that the schema cannot express, and returns the length of the video in seconds. */
export function checkVideo(service: Service, body: VideoBody, path = ''): number {
	const toPath = (name: string) => path + name;
	if (body.resolution === '4k') requirePlan(service, 'pro', '4K', toPath('resolution'));
	if ('watermark' in body && body.watermark) {
		requirePlan(service, 'enterprise', 'A watermark', toPath('watermark'));
		requireAsset(service, body.watermark.image, toPath('watermark.image'));
	}
	if (body.type === 'studio') {
		requireBrandGlossary(service, body);
		return body.scenes.reduce(
			(sum, scene, index) => sum + checkScene(service, scene, `${path}scenes[${index}]`),
			0,
		);
	}
	if (body.type === 'cinematic_avatar') {
		requireAllowedText(body.prompt, toPath('prompt'));
		body.avatar_id.forEach((id, index) => requireLook(service, id, toPath(`avatar_id[${index}]`)));
		body.references?.forEach((input, index) =>
			requireAsset(service, input, toPath(`references[${index}]`)),
		);
		if (body.auto_duration && body.duration != null) {
			throw createInvalidParameterError(
				toPath('duration'),
				'duration cannot be given together with auto_duration',
			);
		}
		return body.duration ?? 10;
	}
	requireBrandGlossary(service, body);
	const look = body.type === 'avatar' ? checkAvatar(service, body, path) : null;
	if (body.type === 'image') requireAsset(service, body.image, toPath('image'));
	checkBackground(service, body, path, look?.matted ?? true);
	return requireSpeech(service, body, {
		path: path.replace(/\.$/, ''),
		voiceRequired: body.type === 'image',
	});
}

function checkAvatar(
	service: Service,
	avatar: Pick<Extract<VideoBody, { type: 'avatar' }>, 'avatar_id' | 'engine' | 'expressiveness'>,
	path: string,
) {
	const { engine } = avatar;
	const look = requireLook(service, avatar.avatar_id, `${path}avatar_id`);
	if (!look || !engine) return look;
	if (engine.type === 'avatar_v' && avatar.expressiveness != null) {
		throw createInvalidParameterError(
			`${path}expressiveness`,
			'expressiveness is not supported by the engine avatar_v',
		);
	}
	if (!look.engines.includes(engine.type)) {
		throw createError(
			400,
			'avatar_not_usable',
			`This look does not support ${engine.type}`,
			`${path}engine.type`,
		);
	}
	const param = `${path}engine.reference_look_id`;
	const reference = requireLook(service, engine.reference_look_id, param);
	if (reference && reference.groupId !== look.groupId) {
		throw createInvalidParameterError(param, 'The reference look belongs to another avatar');
	}
	return look;
}

function checkBackground(
	service: Service,
	body: Extract<VideoBody, { type: 'avatar' | 'image' }>,
	path: string,
	hasTransparentBackground: boolean,
) {
	const { background } = body;
	if (body.output_format === 'webm' && background) {
		throw createInvalidParameterError(
			`${path}background`,
			'A WebM video has an alpha channel and cannot have a background',
		);
	}
	if ((body.output_format === 'webm' || body.remove_background) && !hasTransparentBackground) {
		throw createError(
			400,
			'avatar_not_usable',
			'This look has no transparent background',
			`${path}avatar_id`,
		);
	}
	if (!background) return;
	if (background.type === 'color' && (!background.value || background.url || background.asset_id)) {
		throw createInvalidParameterError(
			`${path}background.value`,
			'A color background needs only a value',
		);
	}
	if (
		background.type === 'image' &&
		(background.value || !background.url === !background.asset_id)
	) {
		throw createInvalidParameterError(
			`${path}background.url`,
			'An image background needs a url or an asset_id',
		);
	}
	requireAssetId(service.state, background.asset_id, `${path}background.asset_id`);
	requireReachable(background.url, `${path}background.url`);
}

function checkScene(service: Service, scene: Schemas['StudioScene'], path: string): number {
	if (scene.type === 'avatar_video') {
		const { input } = scene;
		if (input.type === 'avatar') checkAvatar(service, input, `${path}.input.`);
		else requireAsset(service, input.image, `${path}.input.image`);
		return requireSpeech(service, input, {
			path: `${path}.input`,
			voiceRequired: input.type === 'image',
		});
	}
	requireAsset(service, scene.source, `${path}.source`);
	if (scene.type === 'video') {
		if (!scene.voiceover) return 8;
		return requireSpeech(service, scene.voiceover, {
			path: `${path}.voiceover`,
			voiceRequired: true,
		});
	}
	const isNarrated = scene.script || scene.audio_url || scene.audio_asset_id;
	if (isNarrated && scene.duration != null) {
		throw createInvalidParameterError(
			`${path}.duration`,
			'A narrated scene has the length of its narration',
		);
	}
	if (!isNarrated && scene.duration == null) {
		throw createInvalidParameterError(`${path}.duration`, 'A silent image scene needs a duration');
	}
	return scene.duration ?? requireSpeech(service, scene, { path, voiceRequired: true });
}
