import { operation } from '../../core/operation';
import { batchIds, checkIds, idList, statusesOf } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get statuses of translations',
	description: 'Look up the statuses of many translations and batches at once',
	request: 'GET /v3/video-translations/statuses',
	fields: [
		{
			displayName: 'Translation IDs',
			name: 'video_translation_ids',
			type: 'string',
			default: '',
			placeholder: 'e.g. translation_1, translation_2',
			description:
				'Translations to look up: IDs with commas between them, or a list; at most 100 IDs in total',
			schema: idList,
		},
		batchIds,
	],
	check: (values) => checkIds('Translation IDs', values.video_translation_ids, values.batch_ids),
	...statusesOf('video_translation_ids', 'video_translation_id'),
});
