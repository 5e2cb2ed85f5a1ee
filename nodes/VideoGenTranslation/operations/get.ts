import { defineOperation } from '../../core/operation';
import { translationJobField } from '../translation';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get translation',
	description: 'Get the status and fresh file URLs of a translation',
	request: 'GET /v3/video-translations/{video_translation_id}',
	returns: ['status', 'output_language', 'video_url'],
	fields: [{ ...translationJobField, required: true }],
});
