import { defineOperation } from '../../core/operation';
import { assetField } from '../../fields/asset';

export const deleteAsset = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete asset',
	description: 'Permanently delete an asset',
	request: 'DELETE /v3/assets/{asset_id}',
	fields: [{ ...assetField, required: true, description: 'Asset to delete' }],
});
