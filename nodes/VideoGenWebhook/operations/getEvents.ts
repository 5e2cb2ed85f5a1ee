import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { entityIdField, eventTypeFilterField } from '../../fields/webhook';

export const getEvents = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many delivered events',
	description: 'List delivered events, optionally filtered by type or resource',
	request: 'GET /v3/webhooks/events',
	options: [entityIdField, eventTypeFilterField],
	list: { pageSize: apiLimits['GET /v3/webhooks/events'].limit.max },
	simple: [
		'event_id',
		'event_type',
		'created_at',
		'event_data.video_id',
		'event_data.session_id',
		'event_data.video_translate_id',
		'event_data.render_id',
		'event_data.callback_id',
	],
});
