/**
 * Defines the form fields that assign a brand kit's colors, logo and fonts to their roles in videos
 * (service.md, Resources).
 */
import { z } from 'zod';
import { apiLimits } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createNumberSchema, formatRange } from '../core/form/validation';
import { createListItem, buildResourceLocator } from '../fields/listSearch';
import { createUpdateModeField } from '../fields/updateMode';
import { createDependentListSearch } from '../fields/dependentLists';

/**
 * Name of the form field for selecting a brand kit, and the endpoint that returns the selected kit.
 * The logo and font dropdowns list the contents of that kit.
 */
const selectedKit = { field: 'brand_kit_id', line: 'GET /v3/brand-kits/{brand_kit_id}' };

const createColorField = (displayName: string, name: string, what: string) =>
	({
		displayName,
		name,
		type: 'color',
		default: '#000000',
		description: `${what}, such as #00ff88`,
		schema: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #00ff88'),
	}) as const satisfies Field;

export const colorRolesUpdateModeField = {
	displayName: 'Colors',
	name: 'colorChange',
	...createUpdateModeField(
		'Remove all color roles',
		'Keep the current color roles',
		'Replace all color roles with those below',
	),
	description: 'What to do with the color roles',
} as const satisfies Field;

export const colorRolesField = {
	displayName: 'Color Roles',
	name: 'color_roles',
	type: 'collection',
	placeholder: 'Add color',
	default: {},
	displayOptions: { show: { colorChange: ['replace'] } },
	description:
		'Color for each role. All roles are replaced together, so any role that you leave out will have no color.',
	options: [
		createColorField('Accent', 'accent', 'The color for accents'),
		createColorField('Primary', 'primary', 'The main color'),
		createColorField('Secondary', 'secondary', 'The second color'),
		createColorField('Tertiary', 'tertiary', 'The third color'),
	],
	schema: z
		.record(z.string())
		.refine((roles) => Object.keys(roles).length > 0, 'has no color: add one, or choose "Clear"'),
	in: 'local',
} as const satisfies Field;

export const primaryLogoUpdateModeField = {
	displayName: 'Logo',
	name: 'logoChange',
	...createUpdateModeField(
		'Leave the brand kit without a primary logo',
		'Keep the current primary logo',
		'Make another logo the primary one',
	),
	description: 'What to do with the primary logo',
} as const satisfies Field;

export const primaryLogoField = {
	displayName: 'Primary Logo',
	name: 'logo_id',
	required: true,
	displayOptions: { show: { logoChange: ['replace'] } },
	description: "Logo to show in videos: one of this brand kit's logos",
	...buildResourceLocator(
		'searchBrandKitLogos',
		'logos[0].logo_id',
		createDependentListSearch(selectedKit, 'logos', (row) =>
			createListItem(row.logo_id, row.name, [], row.url),
		),
	),
	in: 'local',
} as const satisfies Field;

export const fontRolesUpdateModeField = {
	displayName: 'Fonts',
	name: 'fontChange',
	...createUpdateModeField(
		'Remove all font roles',
		'Keep the current font roles',
		'Replace all font roles with those below',
	),
	description: 'What to do with the font roles',
} as const satisfies Field;

const font = {
	displayName: 'Font',
	name: 'font_id',
	required: true,
	description: "One of this brand kit's fonts",
	...buildResourceLocator(
		'searchBrandKitFonts',
		'fonts[0].font_id',
		createDependentListSearch(selectedKit, 'fonts', (row) => createListItem(row.font_id, row.name)),
	),
} as const satisfies Field;

const { 'font_roles.body_text.weight': fontWeight } =
	apiLimits['PATCH /v3/brand-kits/{brand_kit_id}'];

const weight = {
	displayName: 'Weight',
	name: 'weight',
	type: 'number',
	default: 400,
	description: `Font weight, ${formatRange(fontWeight)}; 400 is regular and 700 is bold`,
	schema: createNumberSchema(fontWeight).int(),
} as const satisfies Field;

const fontRole = z.object({ font_id: z.string(), weight: z.number().optional() }).optional();

export const fontRolesField = {
	displayName: 'Font Roles',
	name: 'font_roles',
	type: 'fixedCollection',
	default: {},
	placeholder: 'Add Font',
	displayOptions: { show: { fontChange: ['replace'] } },
	description:
		'Font for each role. Both roles are replaced together, so a role that you leave out will have no font.',
	options: [
		{ displayName: 'Body Text', name: 'body_text', values: [font, weight] },
		{ displayName: 'Title Text', name: 'title_text', values: [font, weight] },
	],
	schema: z
		.object({ body_text: fontRole, title_text: fontRole })
		.refine((roles) => roles.body_text !== undefined || roles.title_text !== undefined, {
			message: 'has no font: add one, or choose "Clear"',
		}),
	in: 'local',
} as const satisfies Field;
