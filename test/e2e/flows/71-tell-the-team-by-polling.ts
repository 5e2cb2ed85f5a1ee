import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { makeVideo } from '../triggerFlow';
import { errorText, example } from '../workflows';

export const flow: Flow = {
	name: 'example 19: an n8n instance without a public URL notifies the team of finished and failed videos',
	run: async (context) => {
		const { n8n, simulator, credential } = context;
		const { id } = await n8n.createWorkflow(
			withCredential(example('19-tell-the-team-by-polling.json'), credential),
		);
		await n8n.activate(id);
		const endpoints = simulator.control.endpoints().length;
		simulator.control.failNext('video', { code: 'generation_failed', message: 'The video broke' });
		const [broken, good] = [await makeVideo(context), await makeVideo(context)];
		const told: string[] = [];
		let afterId: string | undefined;
		// It may ask between the two.
		while (told.length < 2) {
			const run = await n8n.waitForExecution({ workflowId: id, afterId }, { timeoutMs: 130_000 });
			assert.equal(run.status, 'success', errorText(run));
			// It runs once for the good news, and once for the bad.
			for (const { data } of run.data.resultData.runData['Send to Chat'] ?? []) {
				told.push(...(data?.main?.[0] ?? []).map(({ json }) => String(json.text)));
			}
			afterId = run.id;
		}
		await n8n.deactivate(id);
		assert.deepEqual(
			told.map((text) => text.replace(/http.*/, 'http…')).sort(),
			[`"${broken}" failed: The video broke`, `"${good}" is ready: http…`].sort(),
		);
		assert.equal(simulator.control.endpoints().length, endpoints, 'nothing is registered');
	},
};
