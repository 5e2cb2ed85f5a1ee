import { defineOperation } from '../../core/operation';
import { videoField } from '../../fields/video';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get video',
	description: "Get a video's status and fresh file URLs",
	request: 'GET /v3/videos/{video_id}',
	returns: ['status', 'title', 'video_url', 'duration'],
	fields: [{ ...videoField, required: true }],
});
