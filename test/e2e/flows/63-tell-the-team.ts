import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { example, runDraft, succeeded, whilePublished } from '../workflows';

export const flow: Flow = {
	name: 'example 10: the team is notified of a finished video with its URL, and of a failed one with the reason',
	run: async (context) => {
		const { n8n, simulator } = context;
		const order = example('04-form-to-video.json');
		// Ordered by hand: the form is tested elsewhere.
		for (const node of order.nodes) {
			if (node.name === 'Form') node.type = 'n8n-nodes-base.manualTrigger';
			if (node.name === 'Create Session') node.parameters.prompt = 'A short video';
		}
		await whilePublished(context, example('10-tell-the-team.json'), async (workflowId) => {
			await runDraft(context, order);
			const good = await n8n.waitForExecution({ workflowId }, { timeoutMs: 30_000 });
			const [finished] = succeeded(good, 'Send to Chat');
			assert.match(String(finished?.json.text), /^A video is ready: http.*\/video\.mp4/);

			simulator.control.failNext('session', {
				code: 'generation_failed',
				message: 'The video broke',
			});
			await runDraft(context, order);
			const afterId = good.id;
			const bad = await n8n.waitForExecution({ workflowId, afterId }, { timeoutMs: 30_000 });
			const [failed] = succeeded(bad, 'Send to Chat');
			const [event] = succeeded(bad, 'Video Finished or Failed');
			assert.equal(failed?.json.text, `The video ${event?.json.video_id} failed: The video broke`);
		});
	},
};
