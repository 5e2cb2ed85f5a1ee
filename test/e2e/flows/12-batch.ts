import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { assertFile, example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 02: thirty rows become one batch, and come back as thirty videos with names and email addresses',
	run: async (context) => {
		const before = context.simulator.control.jobs('batch').length;
		const execution = await runDraft(context, example('02-names-to-personal-videos.json'));
		assert.equal(context.simulator.control.jobs('batch').length, before + 1);
		const rows = succeeded(execution, 'Rows');
		const made = succeeded(execution, 'Create Batch');
		const videos = succeeded(execution, 'Send Mail');
		assert.equal(videos.length, 30);
		assert.equal(new Set(videos.map(({ json }) => json.video_id)).size, 30);
		for (const [i, video] of videos.entries()) {
			const { json } = video;
			assert.equal(json.name, rows[i]?.json.name);
			assert.equal(json.email, rows[i]?.json.email);
			// The video of this row, and of no other.
			assert.equal(made[i]?.json.title, `Greeting for ${String(json.name)}`);
			assert.equal(made[i]?.json.video_id, json.video_id);
			assert.match(String(json.video_url), /^http/);
			await assertFile(context.n8n, video, 'data', 'video.mp4');
		}
	},
};
