/** What translations, their proofreads and lipsyncs have in common (docs/service.md, Resources). */
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { buildFileField } from './asset';

/** The film that is worked on. The service takes an address or an asset here, no inline data. */
export const sourceVideo = (what: string) =>
	({
		...buildFileField('talk.mp4', what),
		displayName: 'Video',
		name: 'video',
	}) as const satisfies Field;

/** A recording. */
export const sourceAudio = (what: string) =>
	({
		...buildFileField('voice.mp3', what),
		displayName: 'Audio',
		name: 'audio',
	}) as const satisfies Field;

/** Words with times. */
export const subtitles = {
	...buildFileField('talk.srt', 'An SRT file'),
	displayName: 'Subtitles',
	name: 'srt',
	collection: 'lookAndSound',
} as const satisfies Field;

export const dubbingMode = {
	displayName: 'Mode',
	name: 'mode',
	type: 'options',
	options: [
		{ name: 'Precision', value: 'precision', description: 'A better result, after a longer time' },
		{ name: 'Speed', value: 'speed', description: 'A result sooner' },
	],
	default: 'speed',
	description: 'Whether quality or time matters more',
	schema: z.enum(['speed', 'precision']),
} as const satisfies Field;

/** A name for what is made. */
export const dubbingTitle = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	description: 'The title of the result',
} as const satisfies Field;

export const disableMusicTrack = {
	displayName: 'Disable Music Track',
	name: 'disable_music_track',
	collection: 'lookAndSound',
	type: 'boolean',
	default: false,
	description: 'Whether to leave out the music of the original',
} as const satisfies Field;

export const enhanceSpeech = {
	displayName: 'Enhance Speech',
	name: 'enable_speech_enhancement',
	collection: 'lookAndSound',
	type: 'boolean',
	default: false,
	description: 'Whether to clean up the speech',
} as const satisfies Field;

/** Strict at the service: no other value is taken (docs/service.md, Limits). */
export const fpsMode = {
	displayName: 'Frame Rate Mode',
	name: 'fps_mode',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'As without this option' },
		{ name: 'Constant', value: 'cfr', description: 'The same number of frames in every second' },
		{ name: 'Passthrough', value: 'passthrough', description: 'The frames as they come in' },
		{ name: 'Variable', value: 'vfr', description: 'As many frames as the picture needs' },
	],
	default: '',
	description: 'How the frames of the result are timed',
	schema: z.enum(['vfr', 'cfr', 'passthrough']),
} as const satisfies Field;

export const keepTheSameFormat = {
	displayName: 'Keep the Same Format',
	name: 'keep_the_same_format',
	type: 'boolean',
	default: false,
	description: 'Whether the result has the file format of the original',
} as const satisfies Field;

const dynamicDuration = {
	displayName: 'Dynamic Duration',
	name: 'enable_dynamic_duration',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: 'Whether the video may become longer or shorter to fit the speech',
} as const satisfies Field;

const addWatermark = {
	displayName: 'Watermark',
	name: 'enable_watermark',
	collection: 'lookAndSound',
	type: 'boolean',
	default: false,
	description: 'Whether the result carries a watermark',
} as const satisfies Field;

const startTime = {
	displayName: 'Start Time (Seconds)',
	name: 'start_time',
	collection: 'lookAndSound',
	type: 'number',
	typeOptions: { numberPrecision: 3 },
	default: 0,
	description: 'Where the part to use begins, in seconds from 0',
	schema: z.number().min(0),
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
		'Where the part to use ends, in seconds; must be more than 0 and after the start. 0 stands for the end of the video.',
	schema: z.number().positive(),
} as const satisfies Field;

/** Options of every translation and lipsync. */
export const dubbingOptions = [
	disableMusicTrack,
	dynamicDuration,
	endTime,
	enhanceSpeech,
	keepTheSameFormat,
	startTime,
	dubbingTitle,
	addWatermark,
] as const;

/** What is wrong with the part of the video that is to be used. */
export function checkTimeRange({
	start_time: start,
	end_time: end,
}: {
	start_time?: number;
	end_time?: number;
}): string | false {
	if (start === undefined || end === undefined || end > start) return false;
	return `"End Time (Seconds)" must be after "Start Time (Seconds)", but ${end} is not after ${start}`;
}
