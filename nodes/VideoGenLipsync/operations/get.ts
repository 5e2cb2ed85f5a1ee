import { defineOperation } from '../../core/operation';
import { lipsyncJobField } from '../lipsync';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get lipsync',
	description: "Get a lipsync's status and fresh file URLs",
	request: 'GET /v3/lipsyncs/{lipsync_id}',
	returns: ['status', 'video_url', 'caption_url'],
	fields: [{ ...lipsyncJobField, required: true }],
});
