import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { assertFile, example, media, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 14: a text is spoken, and its sound goes into the video',
	run: async (context) => {
		const { n8n, simulator } = context;
		const execution = await runDraft(context, example('14-voice-over.json'));
		const [film] = succeeded(execution, 'Use Video');
		await assertFile(n8n, film, 'data', 'video.mp4');
		const sent = simulator.control.requests({ method: 'POST', path: '/v3/lipsyncs' }).at(-1);
		const { video, audio } = sent?.body as Record<string, Record<string, string>>;
		assert.equal(video?.url, 'https://example.com/bicycle.mp4');
		const asset = await fetch(`${simulator.baseUrl}/v3/assets/${audio?.asset_id}`, {
			headers: { 'x-api-key': simulator.apiKey },
		});
		const { data } = (await asset.json()) as { data: { url: string } };
		const uploaded = Buffer.from(await (await fetch(data.url)).arrayBuffer());
		assert.ok(uploaded.equals(media('speech.wav')), 'the spoken text went up');
	},
};
