import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { operation } from '../../core/operation';
import { brandKit } from '../../fields/brandKit';
import { scene } from '../../fields/scene';
import { session } from '../../fields/session';
import { video } from '../../fields/video';
import { turn } from '../turn';

const edit = z.object({
	scene_id: z.string().min(1),
	text: z.string().min(1),
	scene_snapshot_video_id: z.string().min(1).optional(),
	edit_version: z.coerce.string().min(1).optional(),
});

export const editScenes = operation({
	value: 'editScenes',
	name: 'Edit Scenes',
	action: 'Edit scenes of a session',
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
			type: 'options',
			options: [
				{ name: 'Form', value: 'form', description: 'Choose scenes and write a change for each' },
				{ name: 'JSON', value: 'json', description: 'Give the whole plan as a JSON list' },
			],
			default: 'form',
			description: 'How the edit plan is given',
			schema: z.enum(['form', 'json']),
			in: 'local',
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
							schema: z.string().min(1),
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
				'A list of at most 50 edits, each with scene_id and text. Each may also carry its own scene_snapshot_video_id and edit_version.',
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
			schema: z.string().min(1),
			in: 'local',
		},
	],
	options: [
		{ ...brandKit, description: 'Another brand kit, from this turn on' },
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
	async execute({ client, send }, values) {
		const snapshot = values.scene_snapshot_video_id as string;
		const edits = values.edit_plan ?? values.edit_plan_json ?? [];
		let version = values.edit_version;
		if (version === undefined && edits.some((one) => one.edit_version === undefined)) {
			const read = await client.data({
				line: 'GET /v3/videos/{video_id}/scenes',
				path: { video_id: snapshot },
			});
			if (read.edit_version === undefined || read.edit_version === null) {
				throw operationError(
					client.node,
					'The scenes of this video carry no edit version',
					'Only the working draft of an agent session can be edited scene by scene. Nothing was changed.',
				);
			}
			version = String(read.edit_version);
		}
		const plan = edits.map((one): IDataObject => ({
			scene_id: one.scene_id,
			text: one.text,
			scene_snapshot_video_id: one.scene_snapshot_video_id ?? snapshot,
			edit_version: one.edit_version ?? version,
		}));
		const body: IDataObject = { edit_plan: plan };
		if (values.message !== undefined) body.message = values.message;
		if (values.brand_kit_id !== undefined) body.brand_kit_id = values.brand_kit_id;
		return [{ json: await send(body) }];
	},
	...turn,
});
