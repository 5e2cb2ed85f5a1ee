import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { createOperationError } from '../../core/errors/nodeErrors';
import type { Client } from '../../core/http/client';
import { defineOperation } from '../../core/operation';
import { createInputFormatField } from '../../fields/inputFormat';
import { sceneField } from '../scene';
import { sessionField } from '../session';
import { videoField } from '../../fields/video';
import { agentMessageOperationBase, agentMessageOptions } from '../agentMessages';
import { toText } from '../../core/json';
import { createTextSchema, formatNumber } from '../../core/form/validation';

const { edit_plan: editPlan, message } = apiLimits['POST /v3/video-agents/{session_id}'];

/**
 * Creates a schema that treats null as `undefined`. Many other nodes output null for a missing
 * property.
 */
const nullAsUndefined = <T extends z.ZodTypeAny>(schema: T) =>
	z.preprocess((value) => value ?? undefined, schema.optional());

const sceneEdit = z.object({
	scene_id: z.string().min(1),
	text: z.string().min(1),
	scene_snapshot_video_id: nullAsUndefined(z.string().min(1)),
	edit_version: nullAsUndefined(z.coerce.string().min(1)),
});

const editPlanSchema = z.array(sceneEdit).min(editPlan.min).max(editPlan.max);

/**
 * Fetches a video's current edit version. The service requires this version in every request that
 * edits scenes.
 */
async function fetchEditVersion(client: Client, videoId: string): Promise<string> {
	const { edit_version } = await client.fetchData({
		line: 'GET /v3/videos/{video_id}/scenes',
		path: { video_id: videoId },
	});
	if (edit_version === undefined || edit_version === null) {
		throw createOperationError(
			client.node,
			`The scenes of video ${videoId} have no edit version`,
			'Only the working draft of an agent session can be edited scene by scene. Nothing was changed.',
		);
	}
	return toText(edit_version);
}

export const editScenes = defineOperation({
	value: 'editScenes',
	name: 'Edit Scenes',
	action: 'Change scenes of video',
	description: `Change up to ${editPlan.max} scenes in one turn; all other scenes stay unchanged`,
	request: 'POST /v3/video-agents/{session_id}',
	returns: ['status', 'video_id', 'video_url'],
	fields: [
		{ ...sessionField, required: true },
		{
			...videoField,
			displayName: 'Session Video',
			name: 'scene_snapshot_video_id',
			required: true,
			description:
				"Video whose scenes you want to change. Use the session's current working draft.",
			in: 'local',
		},
		{
			displayName: 'Specify Edits',
			name: 'editsFrom',
			...createInputFormatField(
				'Select scenes and describe a change for each',
				'Enter all edits as a JSON list',
			),
			description: 'How to enter the edits',
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
			description: `Scenes to change, at most ${editPlan.max}`,
			options: [
				{
					displayName: 'Edit',
					name: 'edit',
					values: [
						{ ...sceneField, required: true },
						{
							displayName: 'Change',
							name: 'text',
							type: 'string',
							typeOptions: { rows: 2 },
							default: '',
							required: true,
							placeholder: 'e.g. Show the product on a table',
							description: 'Change to make in this scene, in plain language',
						},
					],
				},
			],
			schema: editPlanSchema,
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
			description: `JSON list of at most ${editPlan.max} edits, each with scene_id and text. For a scene from another video, add scene_snapshot_video_id. An edit may also have its own edit_version.`,
			schema: editPlanSchema,
			in: 'local',
		},
		{
			displayName: 'Edit Version',
			name: 'edit_version',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.edit_version }}',
			description:
				'The edit_version returned by the "Get Scenes" operation of the VideoGen Video node. The service rejects the edits if the video has changed since then. Leave empty to use the current version.',
			in: 'local',
		},
	],
	options: [
		...agentMessageOptions,
		{
			displayName: 'Message',
			name: 'message',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			description: `Message to the agent about the edits, up to ${formatNumber(message.max)} characters`,
			schema: createTextSchema(message),
		},
	],
	async body({ values, payload }, client) {
		const snapshot = values.scene_snapshot_video_id;
		const edits = values.edit_plan ?? values.edit_plan_json ?? [];
		// An edit version belongs to one video. The edits may belong to several videos.
		const versions = new Map<string, string>();
		if (values.edit_version !== undefined) versions.set(snapshot, values.edit_version);
		const plan: IDataObject[] = [];
		for (const { scene_snapshot_video_id: videoId = snapshot, ...edit } of edits) {
			if (edit.edit_version === undefined && !versions.has(videoId)) {
				versions.set(videoId, await fetchEditVersion(client, videoId));
			}
			const edit_version = edit.edit_version ?? versions.get(videoId);
			plan.push({ ...edit, scene_snapshot_video_id: videoId, edit_version });
		}
		return { ...payload, edit_plan: plan };
	},
	explanations: {
		stale_edit_version: {
			message: 'The video has changed since you got its scenes',
			advice:
				'Get the scenes again with the "Get Scenes" operation of the VideoGen Video node, and use the new edit_version and scene IDs.',
		},
	},
	...agentMessageOperationBase,
});
