import { defineOperation } from '../../core/operation';
import { assetField } from '../../fields/asset';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get asset',
	description: "Get an asset's name, type and URL",
	request: 'GET /v3/assets/{asset_id}',
	returns: ['name', 'type', 'url'],
	fields: [{ ...assetField, required: true, description: 'Asset to get' }],
});
