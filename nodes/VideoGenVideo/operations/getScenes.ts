import { defineOperation } from '../../core/operation';
import { videoField } from '../../fields/video';

export const getScenes = defineOperation({
	value: 'getScenes',
	name: 'Get Scenes',
	action: 'Get scenes of video',
	description:
		"Get a video's scenes and the edit version needed to change them. Group and mask elements have nested elements under children. Skip any element whose type is not avatar, image, video, group or mask.",
	request: 'GET /v3/videos/{video_id}/scenes',
	returns: ['edit_version', 'scenes'],
	fields: [{ ...videoField, required: true }],
});
