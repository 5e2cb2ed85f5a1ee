import { defineOperation } from '../../core/operation';
import { realtimeStreamIdField } from '../realtimeStreamId';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get live stream',
	description: 'Get the status of a stream and, while it runs, the URL to watch it',
	request: 'GET /v3/avatar-realtime/{stream_id}',
	returns: ['status', 'hls_url', 'end_reason'],
	fields: [realtimeStreamIdField],
});
