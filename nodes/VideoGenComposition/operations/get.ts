import { defineOperation } from '../../core/operation';
import { compositionRenderField } from '../render';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get rendered composition',
	description: 'Get the status and a fresh file URL of a composition render',
	request: 'GET /v3/hyperframes/renders/{render_id}',
	returns: ['status', 'video_url', 'failure_message'],
	fields: [{ ...compositionRenderField, required: true }],
});
