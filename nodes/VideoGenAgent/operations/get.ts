import { operation } from '../../core/operation';
import { session } from '../../fields/session';
import { replyOf } from '../../reply';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a session with its video',
	description: 'Read status, progress, messages and video ID of a session',
	request: 'GET /v3/video-agents/{session_id}',
	fields: [{ ...session, required: true }],
	reshapeItems: (items) =>
		items.map((item) => ({ ...item, json: { ...item.json, ...replyOf(item.json) } })),
});
