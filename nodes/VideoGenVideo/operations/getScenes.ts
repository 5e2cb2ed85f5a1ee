import { operation } from '../../core/operation';
import { video } from '../../fields/video';

export const getScenes = operation({
	value: 'getScenes',
	name: 'Get Scenes',
	action: 'Get the scenes of a video',
	description: 'Read a video scene by scene, with the edit version that edits of scenes need',
	request: 'GET /v3/videos/{video_id}/scenes',
	fields: [{ ...video, required: true }],
});
