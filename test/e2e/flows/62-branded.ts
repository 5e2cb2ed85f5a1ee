import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { openFormOf, submitForm } from '../forms';
import { assertFile, example, succeeded, whilePublished } from '../workflows';

export const flow: Flow = {
	name: 'example 09: a website becomes a brand kit, and the agent makes the video with it',
	run: async (context) => {
		const { n8n, simulator } = context;
		const draft = example('09-website-to-branded-video.json');
		const execution = await whilePublished(context, draft, async (workflowId) => {
			await submitForm(await openFormOf(n8n, draft), {
				Website: 'https://bakery.example',
				'What the video should say': 'We open on Sundays too',
			});
			return await n8n.waitForExecution({ workflowId });
		});
		const [brand] = succeeded(execution, 'Import Brand');
		assert.equal(brand?.json.name, 'bakery.example');
		const [video] = succeeded(execution, 'Send Video');
		await assertFile(n8n, video, 'data', 'video.mp4');
		const sent = simulator.control.requests({ method: 'POST', path: '/v3/video-agents' }).at(-1);
		const { prompt, brand_kit_id } = sent?.body as Record<string, unknown>;
		assert.equal(prompt, 'We open on Sundays too');
		assert.equal(brand_kit_id, brand.json.brand_kit_id);
	},
};
