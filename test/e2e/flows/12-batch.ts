import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 02: twenty names become one batch of twenty videos',
	run: async (context) => {
		const before = context.simulator.control.jobs('batch').length;
		const execution = await runDraft(context, example('02-names-to-personal-videos.json'));
		const [batch] = succeeded(execution, 'Create Batch');
		assert.equal(batch?.json.status, 'completed');
		assert.deepEqual(batch?.json.counts_by_status, { completed: 20 });
		assert.equal(context.simulator.control.jobs('batch').length, before + 1);
		const videos = succeeded(execution, 'One Item per Video');
		assert.equal(videos.length, 20);
		assert.equal(new Set(videos.map(({ json }) => json.video_id)).size, 20);
	},
};
