import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { readExample, succeeded } from '../workflows';
import { withCredential } from '../../../tools/stage';

export const flow: Flow = {
	name: 'an example still uses its sample data after it was suspended',
	startsFirst: true,
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		const draft = readExample('18-hundred-rows-to-videos.json');
		const { id: workflowId } = await n8n.createWorkflow(withCredential(draft, credential));
		control.holdJobs(true);
		const { id } = await n8n
			.run(workflowId, { until: ['waiting'], timeoutMs: 200_000 })
			.finally(() => control.holdJobs(false));
		const execution = await n8n.waitForExecution({ id, workflowId }, { timeoutMs: 300_000 });
		assert.deepEqual(
			succeeded(execution, 'Send Mail').map(({ json }) => json),
			draft.pinData?.['Send Mail']?.map(({ json }) => json),
		);
	},
};
