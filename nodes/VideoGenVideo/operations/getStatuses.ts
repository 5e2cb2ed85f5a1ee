import { operation } from '../../core/operation';
import { defineStatusLookup } from '../../fields/statuses';

export const getStatuses = operation({
	value: 'getStatuses',
	name: 'Get Statuses',
	action: 'Get statuses of videos',
	description: 'Get the statuses of many videos and batches at once',
	request: 'GET /v3/videos/statuses',
	...defineStatusLookup('Video', 'video_id', 'video_1, video_2'),
});
