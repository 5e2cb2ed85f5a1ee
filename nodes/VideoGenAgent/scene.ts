import type { Field } from '../core/form/field';
import { buildResourceLocator } from '../fields/listSearch';
import { readObject } from '../core/json';
import { createPartListItem, createDependentListSearch } from '../fields/dependentLists';

/** Fills the Scene dropdown with the scenes of the video selected in the same form. */
const searchScenes = createDependentListSearch(
	{
		field: 'scene_snapshot_video_id',
		line: 'GET /v3/videos/{video_id}/scenes',
		placeholder: 'video_id',
	},
	'scenes',
	({ id, script }, i) => createPartListItem(`Scene ${i + 1}`, readObject(script).text, id),
);

export const sceneField = {
	displayName: 'Scene',
	name: 'scene_id',
	description: 'Scene to change',
	...buildResourceLocator('searchScenes', 'scenes[0].id', searchScenes),
} as const satisfies Field;
