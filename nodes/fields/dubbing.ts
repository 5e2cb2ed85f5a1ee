/**
 * Defines the form fields that translations, proofreads and lipsyncs share
 * (service.md, Resources).
 */
import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createNumberSchema } from '../core/form/validation';
import { buildFileField } from './asset';
import { nameValues } from './namedValues';

/**
 * Builds the form field for the video to translate or dub. The service accepts only a URL or an
 * asset, so a file in a binary field is uploaded first.
 */
export const buildSourceVideoField = (what: string) =>
	({
		...buildFileField('talk.mp4', what, 'searchVideos'),
		displayName: 'Video',
		name: 'video',
	}) as const satisfies Field;

/** Builds the form field for a recording that replaces the speech in a video. */
export const buildReplacementAudioField = (what: string) =>
	({
		...buildFileField('voice.mp3', what, 'searchAudioFiles'),
		displayName: 'Audio',
		name: 'audio',
	}) as const satisfies Field;

/** Form field for a subtitle file in SRT format. */
export const subtitleFileField = {
	...buildFileField('talk.srt', 'An SRT file'),
	displayName: 'Subtitles',
	name: 'srt',
	collection: 'lookAndSound',
} as const satisfies Field;

export const dubbingModeField = {
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	options: nameValues(apiValues.TranslationRequest.mode, {
		precision: { name: 'Precision', description: 'Better quality, but slower' },
		speed: { name: 'Speed', description: 'A faster result' },
	}),
	default: 'speed',
	description: 'What to prioritize: quality or speed',
	schema: z.enum(apiValues.TranslationRequest.mode),
} as const satisfies Field;

export const dubbingTitleField = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	description: 'Title of the result in the service. If not set, the service chooses one.',
} as const satisfies Field;

export const disableMusicTrackField = {
	displayName: 'Disable Music Track',
	name: 'disable_music_track',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: 'Whether to remove the original music',
} as const satisfies Field;

export const enhanceSpeechField = {
	displayName: 'Enhance Speech',
	name: 'enable_speech_enhancement',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: 'Whether to clean up the speech',
} as const satisfies Field;

/**
 * Form field for the frame rate mode. It offers the modes that the service accepts
 * (service.md, Limits).
 */
export const fpsModeField = {
	displayName: 'Frame Rate Mode',
	name: 'fps_mode',
	collection: 'advanced',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'Let the service choose' },
		...nameValues(apiValues.TranslationRequest.fps_mode, {
			cfr: { name: 'Constant', description: 'The same number of frames every second' },
			passthrough: { name: 'Passthrough', description: 'The original frame timing' },
			vfr: { name: 'Variable', description: 'As many frames as the content needs' },
		}),
	],
	default: '',
	description: 'Frame timing in the result. If not set, the service chooses.',
	schema: z.enum(apiValues.TranslationRequest.fps_mode),
} as const satisfies Field;

export const keepTheSameFormatField = {
	displayName: 'Keep the Same Format',
	name: 'keep_the_same_format',
	collection: 'advanced',
	type: 'boolean',
	default: true,
	description: 'Whether the result keeps the original file format',
} as const satisfies Field;

const dynamicDuration = {
	displayName: 'Dynamic Duration',
	name: 'enable_dynamic_duration',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: 'Whether the video may get longer or shorter to fit the speech',
} as const satisfies Field;

const addWatermark = {
	displayName: 'Watermark',
	name: 'enable_watermark',
	collection: 'advanced',
	type: 'boolean',
	default: true,
	description: 'Whether the result has a watermark',
} as const satisfies Field;

const startTime = {
	displayName: 'Start Time (Seconds)',
	name: 'start_time',
	collection: 'lookAndSound',
	type: 'number',
	typeOptions: { numberPrecision: 3 },
	default: 0,
	description: 'Start of the video section to use, in seconds. The default is 0.',
	schema: createNumberSchema(apiLimits.TranslationRequest.start_time),
} as const satisfies Field;

const endTime = {
	displayName: 'End Time (Seconds)',
	name: 'end_time',
	collection: 'lookAndSound',
	type: 'number',
	typeOptions: { numberPrecision: 3 },
	default: 0,
	unset: 0,
	description:
		'End of the video section to use, in seconds from the start of the video. Use 0 for the end of the video.',
	schema: createNumberSchema(apiLimits.TranslationRequest.end_time),
} as const satisfies Field;

/** Form options shared by all translation and lipsync operations. */
export const dubbingOptions = [
	disableMusicTrackField,
	dynamicDuration,
	endTime,
	enhanceSpeechField,
	keepTheSameFormatField,
	startTime,
	dubbingTitleField,
	addWatermark,
] as const;

/**
 * Returns an error message if the end time is not after the start time, otherwise `false`. Does not
 * check times that are not numbers, because the service rejects them. A row entered as JSON may
 * contain such times.
 */
export function findTimeRangeError({
	start_time: start,
	end_time: end,
}: {
	start_time?: unknown;
	end_time?: unknown;
}): string | false {
	if (typeof start !== 'number' || typeof end !== 'number' || end > start) return false;
	return `"End Time (Seconds)" must be greater than "Start Time (Seconds)", but ${end} is not greater than ${start}`;
}
