import { createInvalidParameterError, createError } from '../../errors';
import { buildPublicUrl } from '../../media';
import type { Composition, AgentSession, Video } from '../../rows';
import type { Requests } from '../../requestTypes';
import type { Service } from '../../service';
import { createId } from '../../store';

type EditPlan = NonNullable<Requests['POST /v3/video-agents/{session_id}']['body']['edit_plan']>;

/** Creates the three scenes of a session, which together contain every type of element. */
export function createStoryboard(service: Service, session: AgentSession): Composition {
	const createTextScript = (text: string) => ({
		type: 'text',
		id: createId('script_'),
		text,
		voice_id: session.voiceId,
		voice_settings: null,
		trim_to_speech: true,
	});
	const createPictureUrl = () => buildPublicUrl(service.baseUrl, session.id, 'thumbnail.jpg');
	return {
		edit_version: createId('ev_'),
		video: {
			title: session.title,
			aspect_ratio: session.orientation === 'portrait' ? '9:16' : '16:9',
			resolution: '1080p',
			caption: { enabled: true },
			brand_glossary_id: session.brandGlossaryId,
		},
		scenes: [
			{
				id: createId('scene_'),
				background: { type: 'color', color: '#FFFFFF' },
				elements: [
					{
						type: 'avatar',
						id: createId('el_'),
						avatar_id: session.avatarId,
						engine: 'avatar_iv',
						expressiveness: 'medium',
						motion_prompt: null,
					},
				],
				script: createTextScript(`Let us talk about this: ${session.prompt.slice(0, 200)}`),
			},
			{
				id: createId('scene_'),
				background: { type: 'image', id: createId('bg_'), url: createPictureUrl() },
				elements: [
					{
						type: 'container',
						id: createId('el_'),
						container_type: 'group',
						children: [
							{ type: 'image', id: createId('el_'), url: createPictureUrl() },
							{ type: 'placeholder', id: createId('el_'), element_type: 'text' },
						],
					},
				],
				script: createTextScript('Here is what matters most.'),
			},
			{
				id: createId('scene_'),
				background: null,
				elements: [
					{
						type: 'video',
						id: createId('el_'),
						url: buildPublicUrl(service.baseUrl, session.id, 'video.mp4'),
						playback: 'loop',
						trim: null,
						volume: 0.4,
						speed_multiplier: 1,
					},
				],
				script: { type: 'silence', id: createId('script_'), duration: 2 },
			},
		],
	};
}

/** Returns the edited scenes. Quoted text replaces the script; other text is appended to it. */
export function applyEditPlan(composition: Composition, plan: EditPlan): Composition {
	const edited = structuredClone(composition);
	edited.edit_version = createId('ev_');
	for (const change of plan) {
		const scene = edited.scenes.find(({ id }) => id === change.scene_id);
		const script = scene?.script as { type: string; text?: string } | null | undefined;
		if (script?.type !== 'text') continue;
		const newText = /["“](.+)["”]/.exec(change.text)?.[1];
		script.text = newText ?? `${script.text} (${change.text})`;
	}
	return edited;
}

/** Validates the whole edit plan before any change: first the scenes, then the versions. */
export function checkEditPlan(service: Service, session: AgentSession, plan: EditPlan) {
	const snapshots = plan.map((item, index) => {
		const path = `edit_plan[${index}]`;
		const video = service.state.videos.get(item.scene_snapshot_video_id);
		if (!video?.composition || !session.videoIds.includes(video.id)) {
			throw createInvalidParameterError(
				`${path}.scene_snapshot_video_id`,
				'This video is not a draft of the session',
			);
		}
		if (!video.composition.scenes.some(({ id }) => id === item.scene_id)) {
			throw createInvalidParameterError(
				`${path}.scene_id`,
				`Scene ${item.scene_id} is not in the snapshot`,
			);
		}
		return { video, composition: video.composition };
	});
	plan.forEach((item, index) => {
		if (snapshots[index]?.composition.edit_version !== item.edit_version) {
			throw createError(
				409,
				'stale_edit_version',
				'The scenes have changed since they were read',
				`edit_plan[${index}].edit_version`,
			);
		}
	});
	return snapshots[0] as { video: Video; composition: Composition };
}
