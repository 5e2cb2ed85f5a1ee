import { defineOperation } from '../../core/operation';
import { videoField } from '../../fields/video';

export const getScenes = defineOperation({
	value: 'getScenes',
	name: 'Get Scenes',
	action: 'Get scenes of video',
	description:
		"Get a video's scenes and the edit version needed to change them. Group and mask elements contain other elements in children. Skip elements of types other than avatar, image, video, group and mask.",
	request: 'GET /v3/videos/{video_id}/scenes',
	returns: ['edit_version', 'scenes'],
	fields: [{ ...videoField, required: true }],
});
