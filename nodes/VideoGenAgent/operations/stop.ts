import { defineOperation } from '../../core/operation';
import { sessionField } from '../session';

export const stop = defineOperation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop work on video',
	description: 'Stop a session and keep its results so far',
	request: 'POST /v3/video-agents/{session_id}/stop',
	fields: [{ ...sessionField, required: true }],
	repeatable: true,
	destructive: true,
});
