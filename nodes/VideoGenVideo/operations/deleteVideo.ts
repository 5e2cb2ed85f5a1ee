import { defineOperation } from '../../core/operation';
import { videoField } from '../../fields/video';

export const deleteVideo = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete video',
	description: 'Permanently delete a video',
	request: 'DELETE /v3/videos/{video_id}',
	fields: [
		{
			...videoField,
			required: true,
			description: 'The video to delete. A deleted video cannot be restored.',
		},
	],
});
