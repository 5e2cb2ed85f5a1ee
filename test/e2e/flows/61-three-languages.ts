import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { assertFile, example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 08: one video becomes one item for each of three languages, with video and subtitles',
	run: async (context) => {
		const { n8n } = context;
		const execution = await runDraft(context, example('08-one-video-three-languages.json'));
		const videos = succeeded(execution, 'Store Files');
		assert.deepEqual(
			videos.map(({ json }) => json.output_language),
			['German', 'Spanish', 'Italian'],
		);
		assert.equal(new Set(videos.map(({ json }) => json.video_translation_id)).size, 3);
		for (const video of videos) {
			await assertFile(n8n, video, 'data', 'video.mp4');
			await assertFile(n8n, video, 'subtitle', 'captions.srt');
			assert.equal(video.binary?.subtitle?.fileExtension, 'srt');
		}
	},
};
