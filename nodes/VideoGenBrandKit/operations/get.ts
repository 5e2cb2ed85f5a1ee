import { operation } from '../../core/operation';
import { brandKit } from '../../fields/brandKit';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a brand kit',
	description: 'Read status, colors, logos, fonts and their roles',
	request: 'GET /v3/brand-kits/{brand_kit_id}',
	fields: [{ ...brandKit, required: true }],
});
