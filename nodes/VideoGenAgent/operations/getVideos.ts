import { defineOperation } from '../../core/operation';
import { withParentId } from '../../shared/withParentId';
import { sessionField } from '../session';
import { simplifiedVideoKeys } from '../../fields/video';

export const getVideos = defineOperation({
	value: 'getVideos',
	name: 'Get Videos',
	action: 'Get videos from session',
	description: 'List the videos created in a session, newest first',
	request: 'GET /v3/video-agents/{session_id}/videos',
	fields: [{ ...sessionField, required: true }],
	list: 'unpaged',
	simple: ['session_id', ...simplifiedVideoKeys],
	itemId: 'video_id',
	reshapeItems: withParentId('session_id'),
});
