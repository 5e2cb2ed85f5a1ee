import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { assertFile, example, succeeded, whilePublished } from '../workflows';

export const flow: Flow = {
	name: 'example 17: an order gets a response at once and becomes a video from a template, next to its name and email address',
	run: async (context) => {
		const { n8n, simulator } = context;
		const { control } = simulator;
		const draft = example('17-order-to-personal-video.json');
		const execution = await whilePublished(context, draft, async (workflowId) => {
			control.holdJobs(true);
			try {
				const answer = await fetch(`${n8n.baseUrl}/webhook/order-to-video`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ name: 'Ada', email: 'ada@example.com' }),
					signal: AbortSignal.timeout(20_000),
				});
				assert.deepEqual(await answer.json(), { message: 'Your video is being made' });
			} finally {
				control.holdJobs(false);
			}
			return await n8n.waitForExecution({ workflowId });
		});
		const [film] = succeeded(execution, 'Send Mail');
		const [video] = succeeded(execution, 'Generate Video');
		assert.equal(film?.json.name, 'Ada');
		assert.equal(film.json.email, 'ada@example.com');
		assert.equal(film.json.video_id, video?.json.video_id);
		assert.equal(video?.json.title, 'Greeting for Ada');
		await assertFile(n8n, film, 'data', 'video.mp4');
		const sent = control.requests({ method: 'POST', path: /^\/v3\/templates\/[^/]+/ }).at(-1);
		assert.match(JSON.stringify(sent?.body), /"Hello Ada"/);
	},
};
