import { defineOperation } from '../../core/operation';
import { brandKitField } from '../../fields/brandKit';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get brand kit',
	description: "Get a brand kit's status, colors, logos, fonts and roles",
	request: 'GET /v3/brand-kits/{brand_kit_id}',
	returns: ['status', 'name', 'colors', 'fonts', 'logos'],
	fields: [{ ...brandKitField, required: true, description: 'The brand kit to get' }],
});
