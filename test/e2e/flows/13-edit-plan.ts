import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { byId, chain, errorText, example, runDraft, start, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 05: a follow-up turn with an edit plan; a stale edit version is a clear error',
	run: async (context) => {
		const execution = await runDraft(context, example('05-review-and-edit.json'));
		const [session] = succeeded(execution, 'Create Session');
		const [scenes] = succeeded(execution, 'Get Scenes');
		const [edited] = succeeded(execution, 'Edit First Scene');
		assert.notEqual(edited?.json.video_id, session?.json.video_id, 'a new working draft');
		assert.equal(edited?.json.status, 'completed');
		assert.ok(succeeded(execution, 'Download Video')[0]?.binary?.data, 'the new version is a file');

		const first = (scenes?.json.scenes as Array<{ id: string }>)[0];
		const stale = await runDraft(
			context,
			chain('Stale', [
				start,
				{
					name: 'Edit',
					type: 'agent',
					parameters: {
						operation: 'editScenes',
						session_id: byId(String(session?.json.session_id)),
						scene_snapshot_video_id: byId(String(session?.json.video_id)),
						editsFrom: 'json',
						edit_plan_json: JSON.stringify([{ scene_id: first?.id, text: 'Again' }]),
						edit_version: String(scenes?.json.edit_version),
						waitForCompletion: false,
					},
				},
			]),
		);
		assert.equal(stale.status, 'error');
		const text = errorText(stale);
		assert.match(text, /The video has changed since you got its scenes/);
		assert.match(text, /Get the scenes again/);
		assert.match(text, /Code: stale_edit_version/);
		assert.match(text, /Request ID: [0-9a-f]{32}/);
	},
};
