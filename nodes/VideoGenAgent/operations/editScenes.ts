import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { createOperationError } from '../../core/errors/nodeErrors';
import type { Client } from '../../core/http/client';
import { operation } from '../../core/operation';
import { createInputFormat } from '../../fields/inputFormat';
import { scene } from '../scene';
import { session } from '../session';
import { video } from '../../fields/video';
import { followUpTurn, followUpOptions } from '../followUpTurn';

const edit = z.object({
	scene_id: z.string().min(1),
	text: z.string().min(1),
	scene_snapshot_video_id: z.string().min(1).optional(),
	edit_version: z.coerce.string().min(1).optional(),
});

/** The version of a video's scenes at this moment. */
async function currentVersion(client: Client, videoId: string): Promise<string> {
	const read = await client.fetchData({
		line: 'GET /v3/videos/{video_id}/scenes',
		path: { video_id: videoId },
	});
	if (read.edit_version === undefined || read.edit_version === null) {
		throw createOperationError(
			client.node,
			`The scenes of video ${videoId} carry no edit version`,
			'Only the working draft of an agent session can be edited scene by scene. Nothing was changed.',
		);
	}
	return String(read.edit_version);
}

export const editScenes = operation({
	value: 'editScenes',
	name: 'Edit Scenes',
	action: 'Change scenes of a video',
	description: 'Change up to 50 scenes in one turn; all other scenes stay as they are',
	request: 'POST /v3/video-agents/{session_id}',
	fields: [
		{ ...session, required: true },
		{
			...video,
			displayName: 'Video of the Session',
			name: 'scene_snapshot_video_id',
			required: true,
			description: 'The video whose scenes are changed: the current working draft of the session',
			in: 'local',
		},
		{
			displayName: 'Edits From',
			name: 'editsFrom',
			...createInputFormat(
				'Choose scenes and write a change for each',
				'Give the whole plan as a JSON list',
			),
			description: 'How the edit plan is given',
		},
		{
			displayName: 'Edits',
			name: 'edit_plan',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true, sortable: true },
			default: {},
			required: true,
			placeholder: 'Add Edit',
			displayOptions: { show: { editsFrom: ['form'] } },
			description: 'The scenes to change, at most 50',
			options: [
				{
					displayName: 'Edit',
					name: 'edit',
					values: [
						{ ...scene, required: true },
						{
							displayName: 'Change',
							name: 'text',
							type: 'string',
							typeOptions: { rows: 2 },
							default: '',
							required: true,
							placeholder: 'e.g. Show the product on a table',
							description: 'One change to this scene, in plain words',
						},
					],
				},
			],
			schema: z.array(edit).min(1).max(50),
			in: 'local',
		},
		{
			displayName: 'Edits (JSON)',
			name: 'edit_plan_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '[\n  { "scene_id": "", "text": "" }\n]',
			required: true,
			displayOptions: { show: { editsFrom: ['json'] } },
			description:
				'A list of at most 50 edits, each with scene_id and text. Each may also carry its own scene_snapshot_video_id (of another video) and edit_version.',
			schema: z.array(edit).min(1).max(50),
			in: 'local',
		},
		{
			displayName: 'Edit Version',
			name: 'edit_version',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.edit_version }}',
			description:
				'The edit_version that came with the scenes you looked at (VideoGen Video, Get Scenes). The service then refuses the edits if the video has changed since. Leave empty to use the version of this moment.',
			in: 'local',
		},
	],
	options: [
		...followUpOptions,
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			description: 'A message to the agent beside the edits, 1 to 10,000 characters',
			schema: z.string().min(1).max(10_000),
		},
	],
	async body({ values, payload }, client) {
		const snapshot = values.scene_snapshot_video_id;
		const edits = values.edit_plan ?? values.edit_plan_json ?? [];
		// A version belongs to one video: that of the form, unless an edit names another.
		const versions = new Map<string, string>();
		if (values.edit_version !== undefined) versions.set(snapshot, values.edit_version);
		const plan: IDataObject[] = [];
		for (const { scene_snapshot_video_id: of = snapshot, ...edit } of edits) {
			if (edit.edit_version === undefined && !versions.has(of)) {
				versions.set(of, await currentVersion(client, of));
			}
			const edit_version = edit.edit_version ?? versions.get(of);
			plan.push({ ...edit, scene_snapshot_video_id: of, edit_version });
		}
		return { ...payload, edit_plan: plan };
	},
	explanations: {
		stale_edit_version: {
			message: 'The video has changed since its scenes were read',
			advice:
				'Read the scenes again (VideoGen Video, Get Scenes), and use the edit_version and the scene IDs of that reading.',
		},
	},
	...followUpTurn,
});
