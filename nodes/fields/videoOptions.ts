/**
 * Defines the form options that several video operations share
 * (service.md, Resources and Limits).
 */
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { readObject } from '../core/json';
import { addSchemaIssue, createNumberSchema, formatRange } from '../core/form/validation';
import { brandGlossaryField } from './brandGlossary';
import { fileFieldSchema, buildFileField, toAssetId } from './asset';
import { callbackIdField, callbackUrlField } from './callback';
import { folderField } from './folder';
import { lookField } from './look';
import { nameValues } from './namedValues';
import { voiceSettingsField } from './speech';

/**
 * Values that the API accepts for all kinds of videos in which a person speaks. If the values of
 * one kind change in the specification, compilation fails.
 */
const speakingVideo = apiValues.AvatarVideo satisfies typeof apiValues.ImageVideo &
	typeof apiValues.StudioVideo;
const corners = apiValues.Watermark['placement.position'];
const {
	scale,
	opacity,
	'placement.offset_x': offsetX,
	'placement.offset_y': offsetY,
} = apiLimits.Watermark;

export const videoTitleField = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	description:
		'Title of the video in the service, also used to name the downloaded file. If not set, the service chooses one.',
} as const satisfies Field;

export const aspectRatioField = {
	displayName: 'Aspect Ratio',
	name: 'aspect_ratio',
	collection: 'lookAndSound',
	type: 'options',
	options: nameValues(speakingVideo.aspect_ratio, {
		'1:1': '1:1',
		'16:9': '16:9',
		'4:5': '4:5',
		'5:4': '5:4',
		'9:16': '9:16',
		auto: {
			name: 'Auto',
			description: 'The aspect ratio of the source, or 16:9 if the source does not have one',
		},
	}),
	default: '16:9',
	description: 'Aspect ratio of the video, as width:height',
	schema: z.enum(speakingVideo.aspect_ratio),
} as const satisfies Field;

export const resolutionField = {
	displayName: 'Resolution',
	name: 'resolution',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'Let the service choose' },
		...nameValues(speakingVideo.resolution, {
			'1080p': '1080p',
			'4k': { name: '4K', description: 'Currently not available with some engines' },
			'720p': '720p',
		}),
	],
	default: '',
	description: 'Height of the video in pixels. If not set, the service chooses it.',
	schema: z.enum(speakingVideo.resolution),
} as const satisfies Field;

const fitOption = {
	displayName: 'Fit',
	name: 'fit',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'Let the service choose' },
		...nameValues(speakingVideo.fit, {
			contain: { name: 'Contain', description: 'Show the whole source, with bars' },
			cover: { name: 'Cover', description: 'Fill the frame and crop the source' },
		}),
	],
	default: '',
	description:
		'How to fit a source with a different aspect ratio. If not set, the service chooses.',
	schema: z.enum(speakingVideo.fit),
} as const satisfies Field;

const background = {
	displayName: 'Background',
	name: 'background',
	collection: 'lookAndSound',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Set background',
	description: 'The background behind the avatar. If not set, the background of the look is used.',
	options: [
		{
			displayName: 'Background',
			name: 'background',
			values: [
				{
					displayName: 'Type',
					name: 'type',
					type: 'options',
					options: nameValues(apiValues.Background.type, { color: 'Color', image: 'Image' }),
					default: 'color',
					description: 'The type of background',
					schema: z.enum(apiValues.Background.type),
				},
				{
					displayName: 'Color',
					name: 'value',
					type: 'color',
					default: '#ffffff',
					displayOptions: { show: { type: ['color'] } },
					description: 'The color, such as #00ff88',
					schema: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #00ff88'),
				},
				{
					...buildFileField('background.png', 'The image', 'searchImages'),
					displayName: 'Image',
					name: 'image',
					displayOptions: { show: { type: ['image'] } },
				},
			],
		},
	],
	schema: z
		.object({
			type: z.enum(apiValues.Background.type),
			value: z.string().optional(),
			image: fileFieldSchema.optional(),
		})
		.superRefine(({ type, value }, context) => {
			if (type === 'color' && !value) addSchemaIssue(context, 'must have a color');
		})
		.transform(({ type, value, image }): IDataObject => {
			if (type === 'color' || image === undefined) return { type, value };
			if (image.type === 'url') return { type, url: image.url };
			return { type, asset_id: toAssetId(image) };
		}),
} as const satisfies Field;

export const watermarkField = {
	displayName: 'Watermark',
	name: 'watermark',
	collection: 'advanced',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Set watermark',
	description: 'An image to show on top of the video (enterprise accounts only)',
	options: [
		{
			displayName: 'Watermark',
			name: 'watermark',
			values: [
				{
					displayName: 'Corner',
					name: 'position',
					type: 'options',
					options: nameValues(corners, {
						bottom_left: 'Bottom Left',
						bottom_right: 'Bottom Right',
						top_left: 'Top Left',
						top_right: 'Top Right',
					}),
					default: 'bottom_right',
					description: 'Corner to put the image in',
					schema: z.enum(corners),
				},
				{
					...buildFileField('logo.png', 'The image', 'searchImages'),
					displayName: 'Image',
					name: 'image',
					description: 'A PNG or JPEG file',
				},
				{
					displayName: 'Offset X',
					name: 'offset_x',
					type: 'number',
					typeOptions: { numberPrecision: 3 },
					default: 0,
					description: `Horizontal distance from the corner, as a fraction of the video's width, ${formatRange(offsetX)}. The default is 0.`,
					schema: createNumberSchema(offsetX),
				},
				{
					displayName: 'Offset Y',
					name: 'offset_y',
					type: 'number',
					typeOptions: { numberPrecision: 3 },
					default: 0,
					description: `Vertical distance from the corner, as a fraction of the video's height, ${formatRange(offsetY)}. The default is 0.`,
					schema: createNumberSchema(offsetY),
				},
				{
					displayName: 'Opacity',
					name: 'opacity',
					type: 'number',
					typeOptions: { numberPrecision: 2 },
					default: 1,
					description: `Opacity of the image, from ${opacity.min} (invisible) to ${opacity.max} (opaque). The default is 1.`,
					schema: createNumberSchema(opacity),
				},
				{
					displayName: 'Scale',
					name: 'scale',
					type: 'number',
					typeOptions: { numberPrecision: 2 },
					default: 1,
					description:
						'Scale of the image: 1 is the original size, and 2 is twice that size. The default is 1.',
					schema: createNumberSchema(scale),
				},
			],
		},
	],
	schema: z
		.object({
			image: fileFieldSchema,
			position: z.string().optional(),
			offset_x: z.number().optional(),
			offset_y: z.number().optional(),
			opacity: z.number().optional(),
			scale: z.number().optional(),
		})
		.transform(({ image, opacity, scale, ...placement }) => ({
			image,
			opacity,
			scale,
			...(Object.keys(placement).length === 0 ? {} : { placement }),
		})),
} as const satisfies Field;

const captionsInFile: IDataObject = { file_format: 'srt' };
const burnedCaptions: IDataObject = { ...captionsInFile, style: 'default' };

export const captionField = {
	displayName: 'Captions',
	name: 'caption',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'None', value: '' },
		{
			name: 'Subtitle File',
			value: 'file',
			description: 'A subtitle file (SRT) in addition to the video',
		},
		{
			name: 'Subtitle File and Burned-In Captions',
			value: 'burned',
			description: 'A subtitle file and a second video with burned-in captions',
		},
	],
	default: 'burned',
	description:
		'The kind of captions to create. If not set, the files selected under Download determine the kind.',
	schema: z
		.enum(['file', 'burned'])
		.transform((kind) => (kind === 'burned' ? burnedCaptions : captionsInFile)),
} as const satisfies Field;

export const expressivenessField = {
	displayName: 'Expressiveness',
	name: 'expressiveness',
	collection: 'lookAndSound',
	type: 'options',
	options: nameValues(speakingVideo.expressiveness, { high: 'High', low: 'Low', medium: 'Medium' }),
	default: 'low',
	description: 'Facial expressiveness (photo looks only; not with the Avatar V engine)',
	schema: z.enum(speakingVideo.expressiveness),
} as const satisfies Field;

export const motionPromptField = {
	displayName: 'Motion Prompt',
	name: 'motion_prompt',
	collection: 'lookAndSound',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. waves at the beginning',
	description:
		'How the body and hands move, described in plain language. If not set, the engine decides.',
} as const satisfies Field;

const outputFormat = {
	displayName: 'Output Format',
	name: 'output_format',
	collection: 'lookAndSound',
	type: 'options',
	options: nameValues(speakingVideo.output_format, {
		mp4: 'MP4',
		webm: {
			name: 'WebM (Transparent)',
			description: 'A video without a background; the look must support this output format',
		},
	}),
	default: 'mp4',
	description: 'The file format of the video',
	schema: z.enum(speakingVideo.output_format),
} as const satisfies Field;

const removeBackground = {
	displayName: 'Remove Background',
	name: 'remove_background',
	collection: 'lookAndSound',
	type: 'boolean',
	default: true,
	description: "Whether to remove the look's background",
} as const satisfies Field;

/**
 * Form fields for the engine that animates an avatar, and for a reference look: another look of the
 * same avatar from which the engine learns.
 */
export const avatarEngineFields = [
	{
		displayName: 'Engine',
		name: 'engine',
		collection: 'lookAndSound',
		type: 'options',
		options: nameValues(apiValues.Engine.type, {
			avatar_iii: 'Avatar III',
			avatar_iv: { name: 'Avatar IV', description: "The service's default engine" },
			avatar_v: 'Avatar V',
		}),
		default: 'avatar_iv',
		description:
			'The engine that animates the avatar; the look must support it. Use an expression for other engines.',
		// The service may support more engines than the specification names (service.md, Limits).
		schema: z.string().min(1),
		in: 'local',
	},
	{
		...lookField,
		displayName: 'Reference Look',
		name: 'reference_look_id',
		collection: 'advanced',
		description:
			'Another look of the same avatar for the engine to learn from. The look must have been created from a video. Only for the Avatar V engine.',
		in: 'local',
	},
] as const satisfies readonly Field[];

/**
 * Form options for videos in which an avatar or a person in an image speaks. They apply both to
 * single videos and to batches.
 */
export const commonSpeakingVideoOptions = [
	aspectRatioField,
	background,
	brandGlossaryField,
	callbackIdField,
	captionField,
	expressivenessField,
	fitOption,
	motionPromptField,
	outputFormat,
	removeBackground,
	resolutionField,
	videoTitleField,
	voiceSettingsField,
	watermarkField,
] as const;

/**
 * Form options for a single video in which an avatar or a person in an image speaks. They include
 * options that cannot be set for a video in a batch.
 */
export const standaloneSpeakingVideoOptions = [
	...commonSpeakingVideoOptions,
	callbackUrlField,
	folderField,
] as const;

/**
 * Builds the `engine` object of a request, which selects how an avatar is animated. Returns an
 * empty object if the user has set no engine.
 */
export function buildAvatarEngineConfig(values: {
	engine?: string;
	reference_look_id?: string;
}): IDataObject {
	const { engine: type, reference_look_id: reference } = values;
	if (type === undefined) return {};
	return { engine: { type, reference_look_id: reference } };
}

/**
 * Returns the captions setting that the files selected under Download require. Returns undefined if
 * the user has set captions, or if no selected file requires any.
 */
export function deriveCaptionsFromDownload(
	captions: unknown,
	download: readonly string[] = [],
): IDataObject | undefined {
	if (captions !== undefined) return undefined;
	if (download.includes('captioned')) return burnedCaptions;
	return download.includes('subtitle') ? captionsInFile : undefined;
}

/**
 * Returns an error message if the selected captions do not include a file selected under Download,
 * otherwise false.
 */
export const findCaptionConflict = (captions: unknown, download: readonly string[] = []) =>
	captions !== undefined &&
	download.includes('captioned') &&
	readObject(captions).style === undefined &&
	'"Download" includes "Video With Captions": choose "Subtitle File and Burned-In Captions" under "Captions", or remove the file from "Download"';

/**
 * Returns a hint if captions are burned in, but only the video without them is selected under
 * Download, otherwise false.
 */
export const createCaptionHint = (areBurnedIn: boolean, download: readonly string[] = []) =>
	areBurnedIn &&
	download.includes('video') &&
	!download.includes('captioned') &&
	'The "Video" file has no captions. For the video with burned-in captions, choose "Video With Captions" under "Download".';

/** Returns the hint about captions for the options of a video in which a person speaks. */
export const listSpeakingVideoHints = (values: { caption?: unknown; download?: string[] }) => [
	createCaptionHint(readObject(values.caption).style !== undefined, values.download),
];

/**
 * Checks whether the options of a video in which a person speaks can be combined. The service
 * rejects some combinations. Returns an entry for each check: an error message if the check fails,
 * otherwise `false`.
 */
export function findSpeakingVideoConflicts(values: {
	background?: unknown;
	caption?: unknown;
	download?: string[];
	engine?: string;
	expressiveness?: unknown;
	output_format?: string;
	reference_look_id?: unknown;
}): Array<string | false> {
	return [
		findCaptionConflict(values.caption, values.download),
		values.engine === 'avatar_v' &&
			values.expressiveness !== undefined &&
			'"Expressiveness" cannot be used with the Avatar V engine: remove the option, or choose another engine',
		values.reference_look_id !== undefined &&
			[undefined, 'avatar_iii', 'avatar_iv'].includes(values.engine) &&
			'"Reference Look" requires the Avatar V engine: choose it under "Engine"',
		values.output_format === 'webm' &&
			values.background !== undefined &&
			'"Background" cannot be used with "Output Format" WebM, which is transparent: remove one of the two',
	];
}
