import { createSignedUrl } from '../../media';
import type { Schemas } from '../../requestTypes';
import type { Composition, Video } from '../../rows';
import type { Service } from '../../service';
import { createId } from '../../store';
import type { VideoBody } from './validation';

const getSourceUrl = (service: Service, input: Schemas['FileInput']) =>
	input.type === 'url'
		? input.url
		: createSignedUrl(
				service,
				`/media/${input.type === 'asset_id' ? input.asset_id : 'inline'}/thumbnail.jpg`,
			);

interface SpeechInput {
	script?: string | null | undefined;
	audio_url?: string | null | undefined;
	audio_asset_id?: string | null | undefined;
	voice_id?: string | null | undefined;
	voice_settings?: unknown;
}

function createScript(service: Service, source: SpeechInput, silence: number) {
	const id = createId('script_');
	if (source.script) {
		return {
			type: 'text',
			id,
			text: source.script,
			voice_id: source.voice_id ?? 'voice_001',
			voice_settings: source.voice_settings ?? null,
			trim_to_speech: false,
		};
	}
	if (source.audio_url || source.audio_asset_id) {
		const own = createSignedUrl(service, `/media/${source.audio_asset_id}/speech.wav`);
		return { type: 'audio', id, audio_url: source.audio_url ?? own };
	}
	return { type: 'silence', id, duration: silence };
}

const createAvatarElement = (input: {
	avatar_id: string;
	engine?: { type: string } | null | undefined;
	expressiveness?: string | null | undefined;
	motion_prompt?: string | null | undefined;
}) => ({
	type: 'avatar',
	id: createId('el_'),
	avatar_id: input.avatar_id,
	engine: input.engine?.type ?? 'avatar_iv',
	expressiveness: input.expressiveness ?? 'low',
	motion_prompt: input.motion_prompt ?? null,
});

function createStudioScene(
	service: Service,
	scene: Schemas['StudioScene'],
): Composition['scenes'][number] {
	const id = createId('scene_');
	if (scene.type === 'avatar_video') {
		const { input } = scene;
		return {
			id,
			background: input.type === 'avatar' ? (input.background ?? null) : null,
			elements: [
				input.type === 'avatar'
					? createAvatarElement(input)
					: { type: 'image', id: createId('el_'), url: getSourceUrl(service, input.image) },
			],
			script: createScript(service, input, 0),
		};
	}
	const element = {
		type: scene.type,
		id: createId('el_'),
		url: getSourceUrl(service, scene.source),
	};
	if (scene.type === 'image') {
		return {
			id,
			background: null,
			elements: [element],
			script: createScript(service, scene, scene.duration ?? 0),
		};
	}
	return {
		id,
		background: null,
		elements: [
			{
				...element,
				playback: scene.playback?.mode ?? 'freeze',
				trim: null,
				volume: scene.playback?.mute ? 0 : (scene.playback?.volume ?? 1),
				speed_multiplier: 1,
			},
		],
		script: createScript(service, scene.voiceover ?? {}, 8),
	};
}

/** A caption object requests a subtitle file; with a style, the captions are also burned in. */
export function getCaptionMode(body: VideoBody): Video['captions'] {
	if (body.type === 'cinematic_avatar') return 'none';
	const caption = (body.type === 'studio' ? body.captions : undefined) ?? body.caption;
	if (!caption) return 'none';
	return caption.style ? 'burned' : 'file';
}

export function createComposition(service: Service, body: VideoBody): Composition | null {
	if (body.type === 'image' || body.type === 'cinematic_avatar') return null;
	return {
		edit_version: createId('ev_'),
		video: {
			title: body.title ?? null,
			aspect_ratio: body.aspect_ratio ?? '16:9',
			resolution: body.resolution ?? '1080p',
			caption: { enabled: getCaptionMode(body) === 'burned' },
			brand_glossary_id: body.brand_glossary_id ?? body.brand_voice_id ?? null,
		},
		scenes:
			body.type === 'studio'
				? body.scenes.map((scene) => createStudioScene(service, scene))
				: [
						{
							id: createId('scene_'),
							background: createBackground(service, body.background),
							elements: [createAvatarElement(body)],
							script: createScript(service, body, 0),
						},
					],
	};
}

function createBackground(
	service: Service,
	background: Extract<VideoBody, { type: 'avatar' }>['background'],
) {
	if (!background) return null;
	if (background.type === 'color') return { type: 'color', color: background.value };
	const own = createSignedUrl(service, `/media/${background.asset_id}/thumbnail.jpg`);
	return { type: 'image', id: createId('bg_'), url: background.url ?? own };
}
