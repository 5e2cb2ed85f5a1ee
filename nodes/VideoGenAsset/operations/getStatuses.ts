import { z } from 'zod';
import type { Field } from '../../core/field';
import { operation } from '../../core/operation';

/** IDs in one request (api.md, 0.4). */
const most = 100;

/** IDs with commas between them, or a list of IDs. */
const ids = z
	.union([z.string(), z.array(z.string())])
	.transform((given) =>
		(typeof given === 'string' ? given.split(',') : given)
			.map((id) => id.trim())
			.filter((id) => id !== ''),
	);

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
			placeholder: 'e.g. asset_90ab,asset_17cd',
			description: 'The assets to look up, separated by commas',
			schema: ids,
		},
		{
			displayName: 'Batch IDs',
			name: 'batch_ids',
			type: 'string',
			default: '',
			placeholder: 'e.g. batch_3e5f',
			description: 'Batches of uploads, separated by commas; each of their files is looked up',
			schema: ids,
		},
	] as const satisfies readonly Field[],
	check: ({ asset_ids: assets = [], batch_ids: batches = [] }) => [
		assets.length + batches.length === 0 &&
			'"Asset IDs" and "Batch IDs" are both empty: fill in one of them',
		assets.length + batches.length > most &&
			`"Asset IDs" and "Batch IDs" must have at most ${most} entries together, but have ${assets.length + batches.length}`,
	],
});
