import { operation } from '../../core/operation';
import { batchIds, checkIds, idList, statusesOf } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get statuses of lipsyncs',
	description: 'Look up the statuses of many lipsyncs and batches at once',
	request: 'GET /v3/lipsyncs/statuses',
	fields: [
		{
			displayName: 'Lipsync IDs',
			name: 'lipsync_ids',
			type: 'string',
			default: '',
			placeholder: 'e.g. lipsync_1, lipsync_2',
			description:
				'Lipsyncs to look up: IDs with commas between them, or a list; at most 100 IDs in total',
			schema: idList,
		},
		batchIds,
	],
	check: (values) => checkIds('Lipsync IDs', values.lipsync_ids, values.batch_ids),
	...statusesOf('lipsync_ids', 'lipsync_id'),
});
