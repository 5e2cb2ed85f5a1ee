import { defineOperation } from '../../core/operation';
import { videoField } from '../../fields/video';

export const getScenes = defineOperation({
	value: 'getScenes',
	name: 'Get Scenes',
	action: 'Get scenes of video',
	description:
		"Get a video's scenes and the edit version needed to change them. Containers have children; skip elements of types other than avatar, image, video, group and mask.",
	request: 'GET /v3/videos/{video_id}/scenes',
	returns: ['edit_version', 'scenes'],
	fields: [{ ...videoField, required: true }],
});
