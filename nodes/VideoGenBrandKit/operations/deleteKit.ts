import { defineOperation } from '../../core/operation';
import { brandKitField } from '../../fields/brandKit';

export const deleteKit = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete brand kit',
	description: 'Permanently delete a brand kit; videos made with it keep their branding',
	request: 'DELETE /v3/brand-kits/{brand_kit_id}',
	fields: [
		{
			...brandKitField,
			required: true,
			description: 'The brand kit to delete. A deleted brand kit cannot be restored.',
		},
	],
});
