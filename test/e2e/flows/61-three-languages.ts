import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { assertFile, example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 08: one video becomes one item for each of three languages, with film and subtitles',
	run: async (context) => {
		const { n8n } = context;
		const execution = await runDraft(context, example('08-one-video-three-languages.json'));
		const films = succeeded(execution, 'Store Files');
		assert.deepEqual(
			films.map(({ json }) => json.output_language),
			['German', 'Spanish', 'Italian'],
		);
		assert.equal(new Set(films.map(({ json }) => json.video_translation_id)).size, 3);
		for (const film of films) {
			await assertFile(n8n, film, 'data', 'video.mp4');
			await assertFile(n8n, film, 'subtitle', 'captions.srt');
			assert.equal(film.binary?.subtitle?.fileExtension, 'srt');
		}
	},
};
