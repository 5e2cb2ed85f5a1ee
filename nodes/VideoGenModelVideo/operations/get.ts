import { operation } from '../../core/operation';
import { modelVideoId } from '../modelVideo';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a short video',
	description: 'Read status, size and, once it is completed, a fresh address of a video',
	request: 'GET /v3/models/videos/{video_id}',
	fields: [modelVideoId],
});
