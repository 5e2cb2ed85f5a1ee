import { operation } from '../../core/operation';
import { sessionField } from '../session';
import { sessionJob } from '../../jobs/catalog';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get session with its video',
	description: 'Get the status, progress, messages and video ID of a session',
	request: 'GET /v3/video-agents/{session_id}',
	fields: [{ ...sessionField, required: true }],
	reshapeItems: (items) =>
		items.map((item) => ({ ...item, json: { ...item.json, ...sessionJob.extract?.(item.json) } })),
});
