import type { Field } from '../core/form/field';

/** The service lists no streams, so that there is nothing to choose from. */
export const realtimeStreamId = {
	displayName: 'Stream ID',
	name: 'stream_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.stream_id }}',
	description: 'The stream_id that the operation Create gave',
} as const satisfies Field;
