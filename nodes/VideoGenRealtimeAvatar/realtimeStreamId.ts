import type { Field } from '../core/form/field';

/**
 * Form field for the ID of a live stream. Users must enter the ID, because the service cannot list
 * live streams.
 */
export const realtimeStreamIdField = {
	displayName: 'Stream ID',
	name: 'stream_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.stream_id }}',
	description: 'The stream_id returned by the Create operation',
} as const satisfies Field;
