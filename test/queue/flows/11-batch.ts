import assert from 'node:assert/strict';
import { assertFile, example, runDraft, succeeded } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';

export const flow: QueueFlow = {
	name: 'a worker makes a batch of thirty rows, and each row has its own video',
	short: true,
	run: async (cluster) => {
		const execution = await runDraft(cluster, example('02-names-to-personal-videos.json'));
		workerOf(cluster, execution.id);
		const rows = succeeded(execution, 'Rows');
		const videos = succeeded(execution, 'Send Mail');
		assert.deepEqual(
			videos.map(({ json }) => json.email),
			rows.map(({ json }) => json.email),
		);
		assert.equal(new Set(videos.map(({ json }) => json.video_id)).size, 30);
		await assertFile(cluster.n8n, videos.at(-1), 'data', 'video.mp4');
	},
};
