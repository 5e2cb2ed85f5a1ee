import { defineOperation } from '../../core/operation';
import { translationJobField } from '../translation';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get translation',
	description: "Get a translation's status and fresh file URLs",
	request: 'GET /v3/video-translations/{video_translation_id}',
	returns: ['status', 'output_language', 'video_url'],
	fields: [{ ...translationJobField, required: true }],
});
