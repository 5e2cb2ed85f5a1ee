import { defineOperation } from '../../core/operation';
import { modelVideoIdField } from '../modelVideo';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get short video',
	description: 'Get the status and size of a video and, once it is complete, a fresh URL',
	request: 'GET /v3/models/videos/{video_id}',
	returns: ['status', 'video_url', 'duration'],
	fields: [modelVideoIdField],
});
