import { operation } from '../../core/operation';
import { batchIds, checkIds, idList, statusesOf } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get statuses of videos',
	description: 'Look up the statuses of many videos and batches at once',
	request: 'GET /v3/videos/statuses',
	fields: [
		{
			displayName: 'Video IDs',
			name: 'video_ids',
			type: 'string',
			default: '',
			placeholder: 'e.g. video_1, video_2',
			description:
				'Videos to look up: IDs with commas between them, or a list; at most 100 IDs in total',
			schema: idList,
		},
		batchIds,
	],
	check: (values) => checkIds('Video IDs', values.video_ids, values.batch_ids),
	...statusesOf('video_ids', 'video_id'),
});
