import { defineOperation } from '../../core/operation';
import { realtimeStreamIdField } from '../realtimeStreamId';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get live stream',
	description: "Get a stream's status and, while it runs, its playback URL",
	request: 'GET /v3/avatar-realtime/{stream_id}',
	returns: ['status', 'hls_url', 'end_reason'],
	fields: [realtimeStreamIdField],
});
