import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { brandKitField } from '../../fields/brandKit';
import { buildUpdateProperty, isEmptyUpdate } from '../../fields/updateMode';
import {
	colorRolesUpdateModeField,
	colorRolesField,
	fontRolesUpdateModeField,
	fontRolesField,
	primaryLogoUpdateModeField,
	primaryLogoField,
} from '../roles';

const { name } = apiLimits['PATCH /v3/brand-kits/{brand_kit_id}'];

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update brand kit',
	description:
		'Rename a brand kit, or change the roles of its colors, logos and fonts after the import',
	request: 'PATCH /v3/brand-kits/{brand_kit_id}',
	returns: ['status', 'name', 'colors', 'fonts', 'logos'],
	fields: [
		{ ...brandKitField, required: true, description: 'The brand kit to change' },
		{
			displayName: 'New Name',
			name: 'name',
			type: 'string',
			default: '',
			description: `New name of the brand kit, ${formatRange(name)} characters. Leave empty to keep the current one.`,
			schema: createTextSchema(name),
		},
		colorRolesUpdateModeField,
		colorRolesField,
		primaryLogoUpdateModeField,
		primaryLogoField,
		fontRolesUpdateModeField,
		fontRolesField,
	],
	check: (values) => {
		const changes = [values.colorChange, values.logoChange, values.fontChange];
		return [
			isEmptyUpdate(values, changes) &&
				'The update changes nothing: enter a "New Name", or choose Replace or Clear for the colors, the logo or the fonts',
		];
	},
	body: ({ values, payload }) => ({
		...payload,
		...buildUpdateProperty('color_roles', values.colorChange, values.color_roles, {}),
		...buildUpdateProperty('logo_roles', values.logoChange, { primary: values.logo_id }, {}),
		...buildUpdateProperty('font_roles', values.fontChange, values.font_roles, {}),
	}),
});
