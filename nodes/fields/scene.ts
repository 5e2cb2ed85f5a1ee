import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import type { Field, ListSearch } from '../core/form/field';
import { locator } from '../core/form/locator';
import { createClient } from '../core/http/client';

/** The words of a scene, to tell it from the others. */
function words(scene: IDataObject): string {
	const script = (scene.script ?? {}) as IDataObject;
	const text = typeof script.text === 'string' ? script.text.replace(/\s+/g, ' ').trim() : '';
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The scenes of the video chosen in the form. */
const searchScenes: ListSearch = async function (this: ILoadOptionsFunctions, filter) {
	const video = this.getCurrentNodeParameter('scene_snapshot_video_id', { extractValue: true });
	if (typeof video !== 'string' || video === '') return { results: [] };
	const client = await createClient(this);
	const data = await client.data({
		line: 'GET /v3/videos/{video_id}/scenes',
		path: { video_id: video },
	});
	const scenes = Array.isArray(data.scenes) ? (data.scenes as IDataObject[]) : [];
	const wanted = filter?.trim().toLowerCase() ?? '';
	return {
		results: scenes
			.map((scene, i) => ({
				name: [`Scene ${i + 1}`, words(scene)].filter(Boolean).join(': '),
				value: String(scene.id),
			}))
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
};

/** A scene of a video, by list or ID. */
export const scene = {
	displayName: 'Scene',
	name: 'scene_id',
	description: 'The scene to change',
	...locator('searchScenes', searchScenes, 'scenes[0].id'),
} as const satisfies Field;
