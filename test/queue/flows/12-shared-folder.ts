import { join } from 'node:path';
import { assertFile, example, runDraft, succeeded } from '../../e2e/workflows';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import assert from 'node:assert/strict';

export const flow: QueueFlow = {
	name: 'item files are stored in a folder that all processes can reach, instead of in the database',
	short: false,
	run: async ({ startOwn, newFolder }) => {
		const own = await startOwn({
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_BINARY_DATA_STORAGE_PATH: join(newFolder('shared'), 'files'),
		});
		const execution = await runDraft(own, example('01-prompt-to-video.json'));
		const [item] = succeeded(execution, 'Generate Video');
		workerOf(own, execution.id);
		assert.match(String(item?.binary?.data?.id), /^filesystem/);
		await assertFile(own.n8n, item, 'data', 'video.mp4');
	},
};
