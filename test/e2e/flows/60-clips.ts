import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { openFormOf, submitForm } from '../forms';
import { assertFile, example, succeeded, whilePublished } from '../workflows';

export const flow: Flow = {
	name: 'example 07: the URL of a long video becomes one item for each clip, with a video and a still image',
	run: async (context) => {
		const { n8n, simulator } = context;
		const draft = example('07-long-video-to-clips.json');
		const execution = await whilePublished(context, draft, async (workflowId) => {
			await submitForm(await openFormOf(n8n, draft), {
				'URL of the video': 'https://files.example/talk.mp4',
				'What the clips should be about': 'The parts in which people laugh',
			});
			return await n8n.waitForExecution({ workflowId });
		});
		const clips = succeeded(execution, 'Post Clip');
		assert.equal(clips.length, 3);
		assert.equal(new Set(clips.map(({ json }) => json.clip_id)).size, 3);
		for (const clip of clips) {
			assert.equal(clip.json.aspect_ratio, 'portrait');
			await assertFile(n8n, clip, 'data', 'captioned.mp4');
			await assertFile(n8n, clip, 'thumbnail', 'thumbnail.jpg');
		}
		const [request, ...more] = simulator.control
			.requests({ method: 'POST', path: '/v3/ai-clipping' })
			.filter(({ body }) => JSON.stringify(body).includes('people laugh'));
		assert.ok(request);
		assert.deepEqual(more, [], 'one job');
	},
};
