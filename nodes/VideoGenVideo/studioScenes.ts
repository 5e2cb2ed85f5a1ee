import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, apiValues, otherLimits } from '../apiLimits';
import { buildObjectSchema, type Field } from '../core/form/field';
import {
	addSchemaIssue,
	createNumberSchema,
	createTextSchema,
	formatRange,
} from '../core/form/validation';
import { buildFileField } from '../fields/asset';
import { createInputFormatField } from '../fields/inputFormat';
import { createOpenObjectSchema } from '../fields/jsonSchemas';
import { lookField } from '../fields/look';
import { nameValues } from '../fields/namedValues';
import { buildRecordingReference, voiceSettingsField } from '../fields/speech';
import {
	avatarEngineFields,
	buildAvatarEngineConfig,
	expressivenessField,
	motionPromptField,
} from '../fields/videoOptions';
import { voiceField } from '../fields/voice';

const [sceneEngine, sceneReferenceLook] = avatarEngineFields;

const { scenes } = apiLimits.StudioVideo;
const {
	duration: sceneSeconds,
	script: sceneText,
	'playback.volume': playbackVolume,
} = apiLimits.StudioScene;

/** Types of scene that the API accepts. */
const apiSceneTypes = apiValues.StudioScene.type;
const playbackModes = apiValues.StudioScene['playback.mode'];

/**
 * Types of scene that the form offers. The API treats a speaking image as an `avatar_video` scene
 * whose input is an image.
 */
const formSceneTypes = [...apiSceneTypes, 'speaking_image'] as const;

const showForSceneTypes = (type: (typeof formSceneTypes)[number][], speech?: string) =>
	({ show: { type, ...(speech === undefined ? {} : { speech: [speech] }) } }) as const;

const sceneType = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: nameValues(formSceneTypes, {
		avatar_video: { name: 'Avatar', description: 'An avatar that speaks' },
		image: { name: 'Image', description: 'An image, with or without narration' },
		speaking_image: {
			name: 'Speaking Image',
			description: 'An image of the person who will speak',
		},
		video: { name: 'Video', description: 'A video, with or without a voiceover' },
	}),
	default: 'avatar_video',
	description: 'Content of the scene',
	schema: z.enum(formSceneTypes),
} as const satisfies Field;

const sceneLook = {
	...lookField,
	displayOptions: showForSceneTypes(['avatar_video']),
} as const satisfies Field;

const sceneSource = {
	...buildFileField('scene.mp4', 'The image or video', 'searchImagesAndVideos'),
	displayName: 'Source',
	name: 'source',
	required: false,
	displayOptions: showForSceneTypes(['image', 'speaking_image', 'video']),
} as const satisfies Field;

const sceneSpeech = {
	displayName: 'Speech',
	name: 'speech',
	type: 'options',
	options: [
		{ name: 'Audio', value: 'audio', description: 'Your own recording' },
		{ name: 'None', value: 'none', description: 'Not available for avatar scenes' },
		{ name: 'Text', value: 'text', description: 'A voice speaks your text' },
	],
	default: 'text',
	description: 'Source of the spoken words',
	schema: z.enum(['none', 'text', 'audio']),
} as const satisfies Field;

const sceneScript = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	displayOptions: { show: { speech: ['text'] } },
	description: `The words to speak, ${formatRange(sceneText)} characters`,
	schema: createTextSchema(sceneText),
} as const satisfies Field;

const sceneVoice = {
	...voiceField,
	displayOptions: { show: { speech: ['text'] } },
	description: 'The voice to use. Optional for avatar scenes.',
	hint: "If not set, avatar scenes use the look's voice",
} as const satisfies Field;

const sceneAudio = {
	...buildFileField('speech.mp3', 'The recording', 'searchAudioFiles'),
	displayName: 'Audio',
	name: 'audio',
	required: false,
	displayOptions: { show: { speech: ['audio'] } },
	description: `The recording, up to ${otherLimits.recordingSeconds} seconds long`,
} as const satisfies Field;

const sceneDuration = {
	displayName: 'Duration (Seconds)',
	name: 'duration',
	type: 'number',
	typeOptions: { numberPrecision: 2 },
	default: 5,
	displayOptions: showForSceneTypes(['image'], 'none'),
	description: `How long to show an image that has no audio, up to ${sceneSeconds.max} seconds. The default is 5 seconds.`,
	schema: createNumberSchema(sceneSeconds),
} as const satisfies Field;

const scenePlayback = {
	displayName: 'Playback',
	name: 'playback_mode',
	type: 'options',
	options: nameValues(playbackModes, {
		fit_to_scene: {
			name: 'Fit to Scene',
			description: 'Change the speed so that the video and the voiceover end together',
		},
		freeze: { name: 'Freeze', description: 'Hold the last frame' },
		loop: { name: 'Loop', description: 'Start again' },
	}),
	default: 'freeze',
	displayOptions: showForSceneTypes(['video']),
	description: 'How to play a video that is shorter than its voiceover',
	schema: z.enum(playbackModes),
} as const satisfies Field;

const sceneVolume = {
	displayName: 'Volume',
	name: 'volume',
	type: 'number',
	typeOptions: { numberPrecision: 2 },
	default: 1,
	displayOptions: showForSceneTypes(['video']),
	description: `Volume of the video, from ${playbackVolume.min} (silent) to ${playbackVolume.max}. The default is 1.`,
	schema: createNumberSchema(playbackVolume),
} as const satisfies Field;

const sceneMute = {
	displayName: 'Mute',
	name: 'mute',
	type: 'boolean',
	default: false,
	displayOptions: showForSceneTypes(['video']),
	description: 'Whether to mute the video',
} as const satisfies Field;

const avatarSettingFields = [
	{
		displayName: 'Background Color',
		name: 'background_color',
		type: 'color',
		default: '',
		description:
			'Color behind the avatar, such as #00ff88. Not available for images. For a background image, use Create Avatar Video instead.',
		schema: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #00ff88'),
	},
	sceneEngine,
	expressivenessField,
	motionPromptField,
	sceneReferenceLook,
] as const satisfies readonly Field[];

/**
 * Form field for a scene's avatar settings. Scenes with a speaking image support only the settings
 * for expressiveness and motion.
 */
const sceneAvatarSettings = {
	displayName: 'Avatar Settings',
	name: 'avatar_settings',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	displayOptions: showForSceneTypes(['avatar_video', 'speaking_image']),
	description: 'Appearance and motion of the person',
	options: avatarSettingFields,
	schema: buildObjectSchema(avatarSettingFields),
} as const satisfies Field;

const sceneVoiceSettings = {
	...voiceSettingsField,
	displayOptions: {
		show: { speech: ['text'], type: ['avatar_video', 'image', 'speaking_image'] },
	},
} as const satisfies Field;

const sceneFields = [
	sceneType,
	sceneLook,
	sceneSource,
	sceneSpeech,
	sceneScript,
	sceneVoice,
	sceneVoiceSettings,
	sceneAudio,
	sceneDuration,
	scenePlayback,
	sceneVolume,
	sceneMute,
	sceneAvatarSettings,
] as const;

/** Schema that validates one scene entered in the form. */
const sceneSchema = buildObjectSchema(sceneFields)
	.required({ type: true })
	// Expressions may return empty IDs in fields that the scene does not need.
	.extend({ avatar_id: z.string().optional(), voice_id: z.string().optional() });

type StudioScene = z.output<typeof sceneSchema>;

/**
 * Adds a validation error for each missing value of a scene, and for each setting that the scene's
 * type does not support.
 */
function checkScene(scene: StudioScene, context: z.RefinementCtx): void {
	const requireValue = (value: unknown, name: string) => {
		if (value === undefined) addSchemaIssue(context, `is missing "${name}"`);
	};
	const { type, speech = 'none', avatar_settings: settings = {} } = scene;
	if (type === 'avatar_video') requireValue(scene.avatar_id, 'Avatar Look');
	else requireValue(scene.source, 'Source');
	for (const [name, title] of [
		['engine', 'Engine'],
		['background_color', 'Background Color'],
		['reference_look_id', 'Reference Look'],
	] as const) {
		if (type !== 'speaking_image' || settings[name] === undefined) continue;
		addSchemaIssue(context, `has "${title}", which only avatars support, not images: remove it`);
	}
	if (settings.engine === 'avatar_v' && settings.expressiveness) {
		addSchemaIssue(context, 'has "Expressiveness", which cannot be used with the Avatar V engine');
	}
	if (settings.engine !== 'avatar_v' && settings.reference_look_id !== undefined) {
		addSchemaIssue(context, 'has "Reference Look", which requires the Avatar V engine');
	}
	if (speech === 'none' && ['avatar_video', 'speaking_image'].includes(type)) {
		addSchemaIssue(context, 'needs speech: choose Text or Audio under "Speech"');
	}
	if (speech === 'none' && type === 'image') requireValue(scene.duration, 'Duration (Seconds)');
	if (speech === 'text') {
		requireValue(scene.script, 'Script');
		// Only an avatar look has its own voice.
		if (type !== 'avatar_video') requireValue(scene.voice_id, 'Voice');
	}
	if (speech === 'audio') requireValue(scene.audio, 'Audio');
}

/**
 * Builds the playback settings of a video scene. Omits default values, because n8n fills them in
 * even if the user has not selected them.
 */
function buildScenePlayback({
	playback_mode: mode = 'freeze',
	volume = 1,
	mute = false,
}: StudioScene) {
	const playback = {
		...(mode === 'freeze' ? {} : { mode }),
		...(volume === 1 ? {} : { volume }),
		...(mute ? { mute } : {}),
	};
	return Object.keys(playback).length === 0 ? {} : { playback };
}

/**
 * Builds the avatar settings of a scene. Includes the engine and the background color only for
 * avatars, because speaking images support neither.
 */
function buildSceneAvatar({ type, avatar_settings: settings = {} }: StudioScene): IDataObject {
	const { background_color: color, expressiveness, motion_prompt } = settings;
	const isAvatar = type === 'avatar_video';
	return {
		...(isAvatar ? buildAvatarEngineConfig(settings) : {}),
		...(isAvatar && color !== undefined ? { background: { type: 'color', color } } : {}),
		expressiveness,
		motion_prompt,
	};
}

/** Converts a scene from the form's format to the API format. */
function buildScene(scene: StudioScene): IDataObject {
	const { type, source, avatar_id, script, voice_id, voice_settings, audio, duration } = scene;
	const text = scene.speech === 'text' ? { script, voice_id, voice_settings } : undefined;
	const speech: IDataObject | undefined =
		scene.speech === 'audio' ? buildRecordingReference(audio) : text;
	const input = { ...speech, ...buildSceneAvatar(scene) };
	switch (type) {
		case 'avatar_video':
			return { type, input: { type: 'avatar', avatar_id, ...input } };
		case 'speaking_image':
			return { type: 'avatar_video', input: { type: 'image', image: source, ...input } };
		case 'image':
			return { type, source, ...(speech ?? { duration }) };
		case 'video':
			return { type, source, ...buildScenePlayback(scene), voiceover: speech };
	}
}

/**
 * Form fields for a studio video's scenes. Users add the scenes one by one or enter them as JSON.
 */
export const studioSceneListFields = [
	{
		displayName: 'Specify Scenes',
		name: 'scenesFrom',
		...createInputFormatField('Add scenes one by one', 'Enter all scenes as a JSON list'),
		description: 'How to enter the scenes',
	},
	{
		displayName: 'Scenes',
		name: 'scenes',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		required: true,
		placeholder: 'Add Scene',
		displayOptions: { show: { scenesFrom: ['form'] } },
		description: `The video's scenes in order, ${formatRange(scenes)} in total`,
		options: [{ displayName: 'Scene', name: 'scene', values: sceneFields }],
		schema: z
			.array(sceneSchema.superRefine(checkScene).transform(buildScene))
			.min(scenes.min)
			.max(scenes.max),
	},
	{
		displayName: 'Scenes (JSON)',
		name: 'scenes_json',
		type: 'json',
		typeOptions: { rows: 8 },
		// Empty, so that n8n shows a warning until there are scenes.
		default: '',
		required: true,
		displayOptions: { show: { scenesFrom: ['json'] } },
		description: `List of ${formatRange(scenes)} scenes in API format, each of type avatar_video, image or video`,
		hint: 'Example: [{"type": "avatar_video", "input": {"type": "avatar", "avatar_id": "look_12ab", "script": "Hello"}}]',
		schema: z
			.array(createOpenObjectSchema({ type: z.enum(apiSceneTypes) }))
			.min(scenes.min)
			.max(scenes.max),
		in: 'local',
	},
] as const satisfies readonly Field[];
