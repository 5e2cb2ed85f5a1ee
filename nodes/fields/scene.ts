import type { Field } from '../core/form/field';
import { locator } from '../core/form/locator';
import { objectOf } from '../core/json';
import { partEntry, partsOf } from './chosen';

/** The scenes of the video chosen in the form. */
const searchScenes = partsOf(
	{
		field: 'scene_snapshot_video_id',
		line: 'GET /v3/videos/{video_id}/scenes',
		placeholder: 'video_id',
	},
	'scenes',
	({ id, script }, i) => partEntry(`Scene ${i + 1}`, objectOf(script).text, id),
);

/** A scene of a video, by list or ID. */
export const scene = {
	displayName: 'Scene',
	name: 'scene_id',
	description: 'The scene to change',
	...locator('searchScenes', 'scenes[0].id', searchScenes),
} as const satisfies Field;
