import { operation } from '../../core/operation';
import { asset } from '../../fields/asset';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get an asset',
	description: 'Read the name, kind and address of an asset',
	request: 'GET /v3/assets/{asset_id}',
	fields: [{ ...asset, required: true, description: 'The asset to read' }],
});
