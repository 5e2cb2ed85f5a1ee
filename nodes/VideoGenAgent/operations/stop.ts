import { operation } from '../../core/operation';
import { sessionField } from '../session';

export const stop = operation({
	value: 'stop',
	name: 'Stop',
	action: 'Stop work on video',
	description: 'Stop the work of a session and keep the results so far',
	request: 'POST /v3/video-agents/{session_id}/stop',
	fields: [{ ...sessionField, required: true }],
	repeatable: true,
	destructive: true,
});
