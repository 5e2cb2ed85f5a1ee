import { defineOperation } from '../../core/operation';
import { compositionRenderField } from '../render';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get rendered composition',
	description: "Get a composition render's status and a fresh file URL",
	request: 'GET /v3/hyperframes/renders/{render_id}',
	returns: ['status', 'video_url', 'failure_message'],
	fields: [{ ...compositionRenderField, required: true }],
});
