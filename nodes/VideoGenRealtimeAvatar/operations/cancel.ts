import { defineOperation } from '../../core/operation';
import { realtimeStreamIdField } from '../realtimeStreamId';

export const cancel = defineOperation({
	value: 'cancel',
	name: 'Cancel',
	action: 'End live stream',
	description: 'End a stream immediately',
	request: 'POST /v3/avatar-realtime/{stream_id}/cancel',
	fields: [realtimeStreamIdField],
	repeatable: true,
	destructive: true,
});
