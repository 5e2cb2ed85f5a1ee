import type { Field } from '../core/form/field';
import { locator } from '../core/form/locator';
import { objectOf } from '../core/json';
import { beginningOf, partsOf } from './chosen';

/** The scenes of the video chosen in the form. */
const searchScenes = partsOf(
	{
		field: 'scene_snapshot_video_id',
		line: 'GET /v3/videos/{video_id}/scenes',
		placeholder: 'video_id',
	},
	'scenes',
	({ id, script }, i) => ({
		name: [`Scene ${i + 1}`, beginningOf(objectOf(script).text)].filter(Boolean).join(': '),
		value: String(id),
	}),
);

/** A scene of a video, by list or ID. */
export const scene = {
	displayName: 'Scene',
	name: 'scene_id',
	description: 'The scene to change',
	...locator('searchScenes', 'scenes[0].id', searchScenes),
} as const satisfies Field;
