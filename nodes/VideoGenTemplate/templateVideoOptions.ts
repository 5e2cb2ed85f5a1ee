import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createNumberSchema } from '../core/form/validation';
import { brandGlossaryField } from '../fields/brandGlossary';
import { callbackFields } from '../fields/callback';
import { folderField } from '../fields/folder';
import { emptyObjectAsUndefinedSchema, createOpenObjectSchema } from '../fields/jsonSchemas';
import { listValues } from '../fields/namedValues';
import { templateSceneField } from './template';
import { videoTitleField } from '../fields/videoOptions';

const { 'dimension.height': height, 'dimension.width': width } =
	apiLimits['POST /v3/templates/{template_id}'];
const { fps: frameRates } = apiValues['POST /v3/templates/{template_id}'];

/** Form options for a video created from a template (service.md, Resources). */
export const templateVideoOptions = [
	brandGlossaryField,
	...callbackFields,
	{
		displayName: 'Captions',
		name: 'caption',
		collection: 'lookAndSound',
		type: 'boolean',
		default: true,
		description: 'Whether to create captions',
	},
	{
		displayName: 'Center Text Vertically',
		name: 'keep_text_vertically_centered',
		collection: 'advanced',
		type: 'boolean',
		default: true,
		description: 'Whether text stays in the middle of its box when the text gets longer or shorter',
	},
	{
		displayName: 'Dimension',
		name: 'dimension',
		collection: 'lookAndSound',
		type: 'fixedCollection',
		default: {},
		placeholder: 'Set dimension',
		description:
			"Size of the video, in the template's aspect ratio. If not set, the template's size is used.",
		options: [
			{
				displayName: 'Dimension',
				name: 'dimension',
				values: [
					{
						displayName: 'Height',
						name: 'height',
						type: 'number',
						default: 1080,
						required: true,
						description: `Height in pixels, an even number from ${height.min} to ${height.max}`,
						schema: createNumberSchema(height).int(),
					},
					{
						displayName: 'Width',
						name: 'width',
						type: 'number',
						default: 1920,
						required: true,
						description: `Width in pixels, an even number from ${width.min} to ${width.max}`,
						schema: createNumberSchema(width).int(),
					},
				],
			},
		],
		schema: z.object({ width: z.number(), height: z.number() }),
	},
	folderField,
	{
		displayName: 'Frames per Second',
		name: 'fps',
		collection: 'lookAndSound',
		type: 'options',
		options: listValues(frameRates),
		default: 25,
		description: 'Frame rate of the video',
		schema: z.coerce.number().refine((fps) => frameRates.some((known) => known === fps), {
			message: `must be one of ${frameRates.join(', ')}`,
		}),
	},
	{
		displayName: 'Include GIF',
		name: 'include_gif',
		collection: 'lookAndSound',
		type: 'boolean',
		default: true,
		description: 'Whether to also create a short animated preview',
	},
	{
		displayName: 'Reorder Music',
		name: 'reorder_music',
		collection: 'advanced',
		type: 'boolean',
		default: true,
		description: 'Whether the music moves with the scenes when their order changes',
	},
	{
		displayName: 'Scenes',
		name: 'scene_ids',
		collection: 'lookAndSound',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true, sortable: true },
		default: {},
		placeholder: 'Add Scene',
		description:
			"Scenes of the video, in order. You can repeat a scene. Leave empty to use all of the template's scenes.",
		options: [
			{ displayName: 'Scene', name: 'scene', values: [{ ...templateSceneField, required: true }] },
		],
		schema: z.array(z.object({ scene_id: z.string() }).transform((one) => one.scene_id)),
	},
	{
		displayName: 'Sharing',
		name: 'enable_sharing',
		type: 'boolean',
		default: true,
		description: 'Whether to create a page for the video that anyone with the URL can view',
	},
	{
		displayName: 'Subtitles',
		name: 'subtitles',
		collection: 'lookAndSound',
		type: 'collection',
		placeholder: 'Add setting',
		default: {},
		description: 'Subtitle style. The "Preset Name" setting is required.',
		options: [
			{
				displayName: 'Alignment',
				name: 'alignment',
				type: 'number',
				default: 2,
				description:
					"Position of the text, as a number. The service does not document what the numbers mean. If not set, the preset's position is used.",
				schema: z.number().int().safe(),
			},
			{
				displayName: 'Disable Highlight',
				name: 'disable_highlight',
				type: 'boolean',
				default: true,
				description: 'Whether to turn off highlighting of the spoken word',
			},
			{
				displayName: 'Font Size',
				name: 'font_size',
				type: 'number',
				default: 0,
				unset: 0,
				description: "Font size as a whole number. Use 0 for the preset's size.",
				schema: z.number().int().safe().positive(),
			},
			{
				displayName: 'Position X',
				name: 'x',
				type: 'number',
				default: 0,
				description: 'Horizontal position of the text. The default is 0.',
				schema: z.number(),
			},
			{
				displayName: 'Position Y',
				name: 'y',
				type: 'number',
				default: 0,
				description: 'Vertical position of the text. The default is 0.',
				schema: z.number(),
			},
			{
				displayName: 'Preset Name',
				name: 'preset_name',
				type: 'string',
				default: '',
				description: "Name of the subtitle style, as shown in the service's web app. Required.",
			},
		],
		schema: emptyObjectAsUndefinedSchema.pipe(
			createOpenObjectSchema({
				preset_name: z.string({ required_error: 'is required' }),
				x: z.number().optional(),
				y: z.number().optional(),
			})
				.transform(({ x, y, ...rest }): IDataObject => {
					const position = { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) };
					return Object.keys(position).length === 0 ? rest : { ...rest, position };
				})
				.optional(),
		),
	},
	videoTitleField,
] as const satisfies readonly Field[];

/** Maps each file that the service creates only on request to the form option that must be on. */
const optionsByFile = {
	captioned: { name: 'caption', displayName: 'Captions', file: 'Video With Captions' },
	subtitle: { name: 'caption', displayName: 'Captions', file: 'Subtitle (SRT)' },
	gif: { name: 'include_gif', displayName: 'Include GIF', file: 'GIF' },
} as const;

/**
 * Returns the options that must be on for the files selected under Download, each set to `true`.
 */
export const deriveOptionsFromDownload = (download: readonly string[] = []): IDataObject =>
	Object.fromEntries(
		Object.entries(optionsByFile)
			.filter(([file]) => download.includes(file))
			.map(([, { name }]) => [name, true]),
	);

/** Returns an error message for each file selected under Download whose option is turned off. */
export const findDownloadConflicts = (values: {
	caption?: boolean;
	include_gif?: boolean;
	download?: string[];
}): string[] =>
	Object.entries(optionsByFile).flatMap(([value, { name, displayName, file }]) =>
		values[name] === false && values.download?.includes(value) === true
			? [
					`"Download" includes "${file}": turn on "${displayName}", or remove the file from "Download"`,
				]
			: [],
	);
