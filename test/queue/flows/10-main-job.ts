import assert from 'node:assert/strict';
import { assertFile, example, runDraft, succeeded } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';

export const flow: QueueFlow = {
	name: 'a worker makes a video, and another process can read its file',
	short: true,
	run: async (cluster) => {
		const execution = await runDraft(cluster, example('01-prompt-to-video.json'));
		const [item] = succeeded(execution, 'Generate Video');
		assert.equal(item?.json.status, 'completed');
		assert.match(workerOf(cluster, execution.id).logs(), /VideoGen started session/);
		// In the database, which all processes share.
		assert.match(String(item?.binary?.data?.id), /^database:/);
		await assertFile(cluster.n8n, item, 'data', 'video.mp4');
	},
};
