import { z } from 'zod';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';
import { emptyObjectAsUndefinedSchema } from '../fields/jsonSchemas';

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
	description: 'Settings for the clips. The service chooses those that you leave out.',
	options: [
		{
			displayName: 'Aspect Ratio',
			name: 'aspect_ratio',
			type: 'options',
			options: [
				{ name: 'Landscape', value: 'landscape' },
				{ name: 'Portrait', value: 'portrait' },
				{ name: 'Square', value: 'square' },
			],
			default: 'portrait',
			description: 'Aspect ratio of the clips; use an expression for other ratios',
			schema: z.string().min(1),
		},
		{
			displayName: 'Caption Style',
			name: 'caption_style',
			type: 'options',
			options: [
				{ name: 'Block Dark', value: 'block_dark' },
				{ name: 'Bold', value: 'bold' },
				{ name: 'Chunky', value: 'chunky' },
				{ name: 'Clean', value: 'clean' },
				{ name: 'Elegant', value: 'elegant' },
				{ name: 'Energy', value: 'energy' },
				{ name: 'Exotic', value: 'exotic' },
				{ name: 'Golden', value: 'golden' },
				{ name: 'Modern Boxed', value: 'modern_boxed' },
				{ name: 'Modern Dark', value: 'modern_dark' },
				{ name: 'Neon Pink', value: 'neon_pink' },
				{ name: 'Outline Classic', value: 'outline_classic' },
				{ name: 'Pop Purple', value: 'pop_purple' },
				{ name: 'Pop Single', value: 'pop_single' },
				{ name: 'Racing', value: 'racing' },
				{ name: 'Retro Gold', value: 'retro_gold' },
				{ name: 'Shadow Lime', value: 'shadow_lime' },
				{ name: 'Shadow Mint', value: 'shadow_mint' },
				{ name: 'Simple', value: 'simple' },
				{ name: 'Spotlight', value: 'spotlight' },
				{ name: 'Stamp Red', value: 'stamp_red' },
				{ name: 'Subtle Cyan', value: 'subtle_cyan' },
				{ name: 'Subtle Gray', value: 'subtle_gray' },
				{ name: 'Tag Yellow', value: 'tag_yellow' },
			],
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
			options: [
				{ name: 'Long', value: 'long' },
				{ name: 'Up to 1 Minute', value: '60' },
				{ name: 'Up to 3 Minutes', value: '180' },
				{ name: 'Up to 30 Seconds', value: '30' },
			],
			default: [],
			description:
				'One to four lengths that the clips may have. If not set, the service chooses. Use an expression for other lengths.',
			schema: z.array(z.string().min(1)).min(1).max(4),
		},
		{
			displayName: 'Prompt',
			name: 'prompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. Moments that show the product',
			description: 'Topic of the clips, at most 500 characters. If not set, the service chooses.',
			schema: createTextSchema(1, 500),
		},
	],
	schema: emptyObjectAsUndefinedSchema,
} as const satisfies Field;
