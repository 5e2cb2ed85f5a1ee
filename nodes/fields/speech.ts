import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, otherLimits } from '../apiLimits';
import type { AssetFieldValue } from '../core/files/binaryInputs';
import type { Field } from '../core/form/field';
import { createNumberSchema, createTextSchema, formatRange } from '../core/form/validation';
import { buildFileField, toAssetId } from './asset';
import { emptyObjectAsUndefinedSchema, createOpenObjectSchema } from './jsonSchemas';
import { voiceField } from './voice';

const { pitch, speed, volume } = apiLimits.VoiceSettings;
const { script: scriptLimit } = apiLimits.AvatarVideo satisfies typeof apiLimits.ImageVideo;

const speechFrom = {
	displayName: 'Speech Source',
	name: 'speechFrom',
	type: 'options',
	options: [
		{ name: 'Text', value: 'text', description: 'A voice reads your text' },
		{ name: 'Audio', value: 'audio', description: 'The video uses your recording' },
	],
	default: 'text',
	description: 'The source of the spoken words',
	schema: z.enum(['text', 'audio']),
	in: 'local',
} as const satisfies Field;

const script = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	displayOptions: { show: { speechFrom: ['text'] } },
	placeholder: 'e.g. Hello {{ $json.name }}, welcome!',
	description: `The words to speak, ${formatRange(scriptLimit)} characters and at least 1 second of speech`,
	schema: createTextSchema(scriptLimit),
} as const satisfies Field;

const audio = {
	...buildFileField(
		'speech.mp3',
		`The recording, up to ${otherLimits.recordingSeconds} seconds long`,
		'searchAudioFiles',
	),
	displayName: 'Audio',
	name: 'audio',
	displayOptions: { show: { speechFrom: ['audio'] } },
	in: 'local',
} as const satisfies Field;

const spokenVoice = { ...voiceField, displayOptions: { show: { speechFrom: ['text'] } } } as const;

/**
 * Form fields for what an avatar says: a script to speak, or a recording. If the user selects no
 * voice, the avatar speaks with its own voice.
 */
export const avatarSpeechFields = [
	speechFrom,
	script,
	{
		...spokenVoice,
		description: "The voice to use. If not set, the look's voice is used.",
		hint: "If empty, the look's voice is used",
	},
	audio,
] as const;

/**
 * Form fields for what a person in an image says: a script to speak, or a recording. A script
 * requires a voice, because an image has no voice of its own.
 */
export const imageSpeechFields = [
	speechFrom,
	script,
	{ ...spokenVoice, required: true },
	audio,
] as const;

/**
 * Builds the part of the request body that refers to a recording, by URL or asset ID. Returns an
 * empty object if there is no recording.
 */
export function buildRecordingReference(recording: AssetFieldValue | undefined): IDataObject {
	if (recording === undefined) return {};
	if (recording.type === 'url') return { audio_url: recording.url };
	return { audio_asset_id: toAssetId(recording) };
}

export const voiceSettingsField = {
	displayName: 'Voice Settings',
	name: 'voice_settings',
	collection: 'lookAndSound',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	description: 'Speed, pitch and other voice settings',
	options: [
		{
			displayName: 'Engine (JSON)',
			name: 'engine_settings',
			type: 'json',
			default: '{}',
			description:
				'Voice engine settings as JSON, for example {"engine_type": "name", "stability": 0.5}. Most voices do not need any.',
			schema: createOpenObjectSchema({ engine_type: z.string().min(1) }),
		},
		{
			displayName: 'Locale',
			name: 'locale',
			type: 'string',
			default: '',
			placeholder: 'e.g. en-GB',
			description:
				'Accent to speak with, such as en-GB for British English. If not set, the voice keeps its own accent.',
		},
		{
			displayName: 'Pitch',
			name: 'pitch',
			type: 'number',
			default: 0,
			description: `Pitch of the voice, from ${pitch.min} (lower) to ${pitch.max} (higher). The default of 0 leaves the pitch unchanged.`,
			schema: createNumberSchema(pitch),
		},
		{
			displayName: 'Speed',
			name: 'speed',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 1,
			description: `Speed of the voice, ${formatRange(speed)}. The default of 1 is the normal speed.`,
			schema: createNumberSchema(speed),
		},
		{
			displayName: 'Volume',
			name: 'volume',
			type: 'number',
			typeOptions: { numberPrecision: 2 },
			default: 1,
			description: `Volume of the voice, from ${volume.min} (silent) to ${volume.max}. The default is 1.`,
			schema: createNumberSchema(volume),
		},
	],
	schema: emptyObjectAsUndefinedSchema,
} as const satisfies Field;
