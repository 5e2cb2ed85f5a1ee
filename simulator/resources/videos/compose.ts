import { signedUrl } from '../../media';
import type { Composition, Video } from '../../rows';
import type { AssetInput } from '../../schemas';
import type { Service } from '../../service';
import { newId } from '../../store';
import type { StudioScene, VideoBody } from './bodies';

const sourceUrl = (service: Service, input: AssetInput) =>
	input.type === 'url'
		? input.url
		: signedUrl(
				service,
				`/media/${input.type === 'asset_id' ? input.asset_id : 'inline'}/thumbnail.jpg`,
			);

interface Speech {
	script?: string | null | undefined;
	audio_url?: string | null | undefined;
	audio_asset_id?: string | null | undefined;
	voice_id?: string | null | undefined;
	voice_settings?: unknown;
}

function scriptOf(service: Service, source: Speech, silence: number) {
	const id = newId('script_');
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
		const own = signedUrl(service, `/media/${source.audio_asset_id}/speech.wav`);
		return { type: 'audio', id, audio_url: source.audio_url ?? own };
	}
	return { type: 'silence', id, duration: silence };
}

const avatarElement = (input: {
	avatar_id: string;
	engine?: { type: string } | null | undefined;
	expressiveness?: string | null | undefined;
	motion_prompt?: string | null | undefined;
}) => ({
	type: 'avatar',
	id: newId('el_'),
	avatar_id: input.avatar_id,
	engine: input.engine?.type ?? 'avatar_iv',
	expressiveness: input.expressiveness ?? 'low',
	motion_prompt: input.motion_prompt ?? null,
});

function composeStudioScene(service: Service, scene: StudioScene): Composition['scenes'][number] {
	const id = newId('scene_');
	if (scene.type === 'avatar_video') {
		const { input } = scene;
		return {
			id,
			background: input.type === 'avatar' ? (input.background ?? null) : null,
			elements: [
				input.type === 'avatar'
					? avatarElement(input)
					: { type: 'image', id: newId('el_'), url: sourceUrl(service, input.image) },
			],
			script: scriptOf(service, input, 0),
		};
	}
	const element = { type: scene.type, id: newId('el_'), url: sourceUrl(service, scene.source) };
	if (scene.type === 'image') {
		return {
			id,
			background: null,
			elements: [element],
			script: scriptOf(service, scene, scene.duration ?? 0),
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
		script: scriptOf(service, scene.voiceover ?? {}, 8),
	};
}

/** A caption object asks for the file of subtitles; with a style they are also burned in. */
export function captionsOf(body: VideoBody): Video['captions'] {
	if (body.type === 'cinematic_avatar') return 'none';
	const caption = body.type === 'studio' ? body.captions : body.caption;
	if (!caption) return 'none';
	return caption.style ? 'burned' : 'file';
}

export function compose(service: Service, body: VideoBody): Composition | null {
	if (body.type === 'image' || body.type === 'cinematic_avatar') return null;
	return {
		edit_version: newId('ev_'),
		video: {
			title: body.title ?? null,
			aspect_ratio: body.aspect_ratio ?? '16:9',
			resolution: body.resolution ?? '1080p',
			caption: { enabled: captionsOf(body) === 'burned' },
			brand_glossary_id: body.brand_glossary_id ?? body.brand_voice_id ?? null,
		},
		scenes:
			body.type === 'studio'
				? body.scenes.map((scene) => composeStudioScene(service, scene))
				: [
						{
							id: newId('scene_'),
							background: backgroundOf(service, body.background),
							elements: [avatarElement(body)],
							script: scriptOf(service, body, 0),
						},
					],
	};
}

function backgroundOf(
	service: Service,
	background: Extract<VideoBody, { type: 'avatar' }>['background'],
) {
	if (!background) return null;
	if (background.type === 'color') return { type: 'color', color: background.value };
	const own = signedUrl(service, `/media/${background.asset_id}/thumbnail.jpg`);
	return { type: 'image', id: newId('bg_'), url: background.url ?? own };
}
