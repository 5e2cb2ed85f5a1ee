import { operation } from '../../core/operation';
import { asset } from '../../fields/asset';

export const deleteAsset = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete an asset',
	description: 'Delete an asset for good',
	request: 'DELETE /v3/assets/{asset_id}',
	fields: [{ ...asset, required: true, description: 'The asset to delete' }],
});
