import { operation } from '../../core/operation';
import { entityId, eventType } from '../../fields/webhook';
import { groups } from '../groups';

export const getEvents = operation({
	value: 'getEvents',
	group: groups.event,
	name: 'Get Many',
	action: 'Get many delivered events',
	description: 'List what was delivered, of one type or one resource if you like',
	request: 'GET /v3/webhooks/events',
	fields: [],
	options: [entityId, eventType],
	list: 100,
});
