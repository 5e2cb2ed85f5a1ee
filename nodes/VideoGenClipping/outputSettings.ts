import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';
import { emptyObjectAsUndefinedSchema } from '../fields/jsonSchemas';
import { nameValues } from '../fields/namedValues';

const { 'output_settings.duration_types': clipLengths, 'output_settings.prompt': clipPrompt } =
	apiLimits['POST /v3/ai-clipping'];
const clipValues = apiValues['POST /v3/ai-clipping'];

/**
 * Form field for clip settings, such as the aspect ratio. Users can set unlisted values with
 * expressions, because the specification gives only examples of values (service.md, Limits).
 */
export const clipSettingsField = {
	displayName: 'Clip Settings',
	name: 'output_settings',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	description:
		'Settings for the clips. The service chooses a value for any setting that you leave out.',
	options: [
		{
			displayName: 'Aspect Ratio',
			name: 'aspect_ratio',
			type: 'options',
			options: nameValues(clipValues['output_settings.aspect_ratio'], {
				landscape: 'Landscape',
				portrait: 'Portrait',
				square: 'Square',
			}),
			default: 'portrait',
			description: 'Aspect ratio of the clips; use an expression for other ratios',
			schema: z.string().min(1),
		},
		{
			displayName: 'Caption Style',
			name: 'caption_style',
			type: 'options',
			options: nameValues(clipValues['output_settings.caption_style'], {
				block_dark: 'Block Dark',
				bold: 'Bold',
				chunky: 'Chunky',
				clean: 'Clean',
				elegant: 'Elegant',
				energy: 'Energy',
				exotic: 'Exotic',
				golden: 'Golden',
				modern_boxed: 'Modern Boxed',
				modern_dark: 'Modern Dark',
				neon_pink: 'Neon Pink',
				outline_classic: 'Outline Classic',
				pop_purple: 'Pop Purple',
				pop_single: 'Pop Single',
				racing: 'Racing',
				retro_gold: 'Retro Gold',
				shadow_lime: 'Shadow Lime',
				shadow_mint: 'Shadow Mint',
				simple: 'Simple',
				spotlight: 'Spotlight',
				stamp_red: 'Stamp Red',
				subtle_cyan: 'Subtle Cyan',
				subtle_gray: 'Subtle Gray',
				tag_yellow: 'Tag Yellow',
			}),
			default: 'outline_classic',
			description: 'Caption style; use an expression for other styles',
			schema: z.string().min(1),
		},
		{
			displayName: 'Captions',
			name: 'captions',
			type: 'boolean',
			default: true,
			description: 'Whether to show captions of the spoken words',
		},
		{
			displayName: 'Clip Lengths',
			name: 'duration_types',
			type: 'multiOptions',
			options: nameValues(clipValues['output_settings.duration_types[]'], {
				long: 'Long',
				'60': 'Up to 1 Minute',
				'180': 'Up to 3 Minutes',
				'30': 'Up to 30 Seconds',
			}),
			default: [],
			description:
				'One to four allowed clip lengths. If not set, the service chooses. Use an expression for other lengths.',
			schema: z.array(z.string().min(1)).min(clipLengths.min).max(clipLengths.max),
		},
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. Moments that show the product',
			description: `Topic of the clips, at most ${clipPrompt.max} characters. If not set, the service chooses one.`,
			schema: createTextSchema(clipPrompt),
		},
	],
	schema: emptyObjectAsUndefinedSchema,
} as const satisfies Field;
