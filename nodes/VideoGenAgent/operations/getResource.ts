import { defineOperation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { sessionField } from '../session';

export const getResource = defineOperation({
	value: 'getResource',
	name: 'Get Resource',
	action: 'Get file or draft from session',
	description: 'Get an image, video, draft, avatar or voice that a session message refers to',
	request: 'GET /v3/video-agents/{session_id}/resources/{resource_id}',
	returns: ['resource_type', 'url'],
	fields: [
		{ ...sessionField, required: true },
		{
			displayName: 'Resource ID',
			name: 'resource_id',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.messages[0].resource_ids[0] }}',
			description: 'One of the resource_ids in a session message',
		},
	],
	itemId: 'resource_id',
	reshapeItems: withParentId('session_id'),
});
