/** Scenes of a studio video (docs/service.md, Limits and Guesses). */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { addProblem } from '../core/form/validation';
import { buildObjectSchema, type Field } from '../core/form/field';
import { buildFileField } from '../fields/asset';
import { createInputFormat } from '../fields/inputFormat';
import { createOpenObject } from '../fields/jsonSchemas';
import { look } from '../fields/look';
import { buildAudioSource, voiceSettings } from '../fields/speech';
import { engine, expressiveness, motionPrompt } from '../fields/videoOptions';
import { voice } from '../fields/voice';

const [animator] = engine;

/** As the API has them. */
const apiSceneTypes = ['avatar_video', 'image', 'video'] as const;

/** As the form has them: a picture that speaks is an avatar scene of another input. */
const formSceneTypes = [...apiSceneTypes, 'speaking_image'] as const;

const showForSceneTypes = (type: (typeof formSceneTypes)[number][], speech?: string) =>
	({ show: { type, ...(speech === undefined ? {} : { speech: [speech] }) } }) as const;

const sceneType = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Avatar', value: 'avatar_video', description: 'An avatar speaks' },
		{ name: 'Image', value: 'image', description: 'A picture, silent or narrated' },
		{
			name: 'Speaking Image',
			value: 'speaking_image',
			description: 'A picture of a person speaks',
		},
		{ name: 'Video', value: 'video', description: 'A film, with or without a voice over it' },
	],
	default: 'avatar_video',
	description: 'What the scene shows',
	schema: z.enum(formSceneTypes),
} as const satisfies Field;

const sceneLook = {
	...look,
	displayOptions: showForSceneTypes(['avatar_video']),
} as const satisfies Field;

const sceneSource = {
	...buildFileField('scene.mp4'),
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
		{ name: 'Audio', value: 'audio', description: 'A recording of yours' },
		{ name: 'None', value: 'none', description: 'Not for avatar scenes' },
		{ name: 'Text', value: 'text', description: 'A voice speaks your text' },
	],
	default: 'text',
	description: 'Where the spoken words come from',
	schema: z.enum(['none', 'text', 'audio']),
} as const satisfies Field;

const sceneScript = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	displayOptions: { show: { speech: ['text'] } },
	description: 'The words to speak, 1 to 5,000 characters',
	schema: z.string().min(1).max(5000),
} as const satisfies Field;

const sceneVoice = {
	...voice,
	displayOptions: { show: { speech: ['text'] } },
	description: 'The voice that speaks. An avatar scene may leave it empty.',
} as const satisfies Field;

const sceneAudio = {
	...buildFileField('speech.mp3'),
	displayName: 'Audio',
	name: 'audio',
	required: false,
	displayOptions: { show: { speech: ['audio'] } },
	description: 'The recording, at most 600 seconds',
} as const satisfies Field;

const sceneDuration = {
	displayName: 'Duration (Seconds)',
	name: 'duration',
	type: 'number',
	typeOptions: { numberPrecision: 2 },
	default: 5,
	displayOptions: showForSceneTypes(['image'], 'none'),
	description: 'How long a silent picture is shown, up to 300 seconds',
	schema: z.number().positive().max(300),
} as const satisfies Field;

const scenePlayback = {
	displayName: 'Playback',
	name: 'playback_mode',
	type: 'options',
	options: [
		{
			name: 'Fit to Scene',
			value: 'fit_to_scene',
			description: 'Faster or slower, to end with the voice',
		},
		{ name: 'Freeze', value: 'freeze', description: 'Hold the last picture' },
		{ name: 'Loop', value: 'loop', description: 'Begin again' },
	],
	default: 'freeze',
	displayOptions: showForSceneTypes(['video']),
	description: 'What the film does when the voice goes on longer',
	schema: z.enum(['freeze', 'loop', 'fit_to_scene']),
} as const satisfies Field;

const sceneVolume = {
	displayName: 'Volume',
	name: 'volume',
	type: 'number',
	typeOptions: { numberPrecision: 2 },
	default: 1,
	displayOptions: showForSceneTypes(['video']),
	description: 'Loudness of the film, 0 to 1',
	schema: z.number().min(0).max(1),
} as const satisfies Field;

const sceneMute = {
	displayName: 'Mute',
	name: 'mute',
	type: 'boolean',
	default: false,
	displayOptions: showForSceneTypes(['video']),
	description: 'Whether the sound of the film is left out',
} as const satisfies Field;

const avatarSettingFields = [
	{
		displayName: 'Background Color',
		name: 'background_color',
		type: 'color',
		default: '',
		description: 'The color behind the avatar, such as #00ff88; not behind a picture',
		schema: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #00ff88'),
	},
	animator,
	expressiveness,
	motionPrompt,
] as const satisfies readonly Field[];

/** Of avatars and speaking pictures; a picture takes only how it moves. */
const sceneAvatarSettings = {
	displayName: 'Avatar Settings',
	name: 'avatar_settings',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	displayOptions: showForSceneTypes(['avatar_video', 'speaking_image']),
	description: 'How the person looks and moves',
	options: avatarSettingFields,
	schema: buildObjectSchema(avatarSettingFields),
} as const satisfies Field;

const sceneVoiceSettings = {
	...voiceSettings,
	displayOptions: {
		show: { speech: ['text'], type: ['avatar_video', 'image', 'speaking_image'] },
	},
} as const satisfies Field;

/** In the order in which one fills them in. */
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

/** A scene as the form has it. */
const sceneSchema = buildObjectSchema(sceneFields)
	.required({ type: true })
	// What an expression gives may hold empty IDs where a scene needs none.
	.extend({ avatar_id: z.string().optional(), voice_id: z.string().optional() });

type StudioScene = z.output<typeof sceneSchema>;

/** What a scene of its type must have. */
function checkScene(one: StudioScene, context: z.RefinementCtx): void {
	const need = (value: unknown, name: string) => {
		if (value === undefined) addProblem(context, `is missing "${name}"`);
	};
	if (one.type === 'avatar_video') need(one.avatar_id, 'Avatar Look');
	else need(one.source, 'Source');
	const speech = one.speech ?? 'none';
	for (const [name, title] of [
		['engine', 'Engine'],
		['background_color', 'Background Color'],
	] as const) {
		if (one.type !== 'speaking_image' || one.avatar_settings?.[name] === undefined) continue;
		addProblem(context, `has "${title}", which only an avatar takes, no picture: remove it`);
	}
	if (one.avatar_settings?.engine === 'avatar_v' && one.avatar_settings.expressiveness) {
		addProblem(context, 'has "Expressiveness", which cannot be used with the engine Avatar V');
	}
	if (speech === 'none' && ['avatar_video', 'speaking_image'].includes(one.type)) {
		addProblem(context, 'needs speech: choose Text or Audio under "Speech"');
	}
	if (speech === 'none' && one.type === 'image') need(one.duration, 'Duration (Seconds)');
	if (speech === 'text') {
		need(one.script, 'Script');
		// Only a look has a voice of its own.
		if (one.type !== 'avatar_video') need(one.voice_id, 'Voice');
	}
	if (speech === 'audio') need(one.audio, 'Audio');
}

/** How a film is played: what was set. n8n fills in what was not, by the defaults of the service. */
function buildScenePlayback({ playback_mode: mode = 'freeze', volume = 1, mute = false }: StudioScene) {
	const playback = {
		...(mode === 'freeze' ? {} : { mode }),
		...(volume === 1 ? {} : { volume }),
		...(mute ? { mute } : {}),
	};
	return Object.keys(playback).length === 0 ? {} : { playback };
}

/** How an avatar looks and moves in its scene; a picture has no engine and no background. */
function buildSceneAvatar({ type, avatar_settings: settings = {} }: StudioScene): IDataObject {
	const { background_color: color, engine, expressiveness, motion_prompt } = settings;
	const avatar = type === 'avatar_video';
	return {
		...(avatar && engine !== undefined ? { engine: { type: engine } } : {}),
		...(avatar && color !== undefined ? { background: { type: 'color', color } } : {}),
		expressiveness,
		motion_prompt,
	};
}

/** A scene of the form as the API takes it. */
function buildScene(one: StudioScene): IDataObject {
	const { type, source, avatar_id, script, voice_id, voice_settings, audio, duration } = one;
	const words = one.speech === 'text' ? { script, voice_id, voice_settings } : undefined;
	const speech: IDataObject | undefined = one.speech === 'audio' ? buildAudioSource(audio) : words;
	const input = { ...speech, ...buildSceneAvatar(one) };
	switch (type) {
		case 'avatar_video':
			return { type, input: { type: 'avatar', avatar_id, ...input } };
		case 'speaking_image':
			return { type: 'avatar_video', input: { type: 'image', image: source, ...input } };
		case 'image':
			return { type, source, ...(speech ?? { duration }) };
		case 'video':
			return { type, source, ...buildScenePlayback(one), voiceover: speech };
	}
}

/** The scenes by form or by JSON, 1 to 50. */
export const studioScenes = [
	{
		displayName: 'Scenes From',
		name: 'scenesFrom',
		...createInputFormat('Add scene after scene', 'Give all scenes as a JSON list'),
		description: 'How the scenes are given',
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
		description: 'The scenes in their order, 1 to 50',
		options: [{ displayName: 'Scene', name: 'scene', values: sceneFields }],
		schema: z.array(sceneSchema.superRefine(checkScene).transform(buildScene)).min(1).max(50),
	},
	{
		displayName: 'Scenes (JSON)',
		name: 'scenes_json',
		type: 'json',
		typeOptions: { rows: 8 },
		default: '[]',
		required: true,
		displayOptions: { show: { scenesFrom: ['json'] } },
		description:
			'A list of 1 to 50 scenes as the API takes them, each with type avatar_video, image or video',
		schema: z
			.array(createOpenObject({ type: z.enum(apiSceneTypes) }))
			.min(1)
			.max(50),
		in: 'local',
	},
] as const satisfies readonly Field[];
