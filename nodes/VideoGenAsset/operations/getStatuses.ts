import { operation } from '../../core/operation';
import { defineStatusLookup } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get the statuses of uploads',
	description: 'Read at once how far many uploads are, up to 100 IDs; each becomes an item',
	request: 'GET /v3/assets/statuses',
	...defineStatusLookup('Asset', 'asset_id', 'asset_90ab, asset_17cd'),
});
