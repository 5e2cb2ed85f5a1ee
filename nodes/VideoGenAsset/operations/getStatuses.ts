import { operation } from '../../core/operation';
import { batchIds, checkIds, idList, statusesOf } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get the statuses of uploads',
	description: 'Read at once how far many uploads are, up to 100 IDs; each becomes an item',
	request: 'GET /v3/assets/statuses',
	fields: [
		{
			displayName: 'Asset IDs',
			name: 'asset_ids',
			type: 'string',
			default: '',
			placeholder: 'e.g. asset_90ab, asset_17cd',
			description:
				'Assets to look up: IDs with commas between them, or a list; at most 100 IDs in total',
			schema: idList,
		},
		batchIds,
	],
	check: (values) => checkIds('Asset IDs', values.asset_ids, values.batch_ids),
	...statusesOf('asset_ids', 'asset_id'),
});
