import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const type = 'n8n-nodes-videogen.videoGenModelVideo';
const media = (name: string) => readFileSync(join(projectRoot, 'simulator', 'media', name));

export const flow: Flow = {
	name: 'a picture in the hands of n8n becomes a model video, and the video a file in n8n',
	run: async (context) => {
		const { n8n, simulator } = context;
		const execution = await runDraft(
			context,
			chain('Picture to model video', [
				start,
				{
					name: 'Picture',
					type: 'video',
					parameters: {
						operation: 'download',
						video_id: byId('video_001'),
						files: ['thumbnail'],
						binaryPropertyName: 'picture',
					},
				},
				{
					name: 'Animate',
					type,
					parameters: {
						operation: 'imageToVideo',
						image: { __rl: true, mode: 'binary', value: 'picture' },
						prompt: 'The picture begins to move',
						modelFrom: 'name',
						model: 'model-of-flow-43',
						duration: 6,
						waitForCompletion: true,
						lookAndSound: { resolution: '480p' },
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Download',
					type,
					parameters: {
						operation: 'download',
						video_id: '={{ $json.video_id }}',
						binaryPropertyName: 'data',
						options: { fileName: 'moving.mp4' },
					},
				},
			]),
		);
		const [made] = succeeded(execution, 'Animate');
		assert.equal(made?.json.status, 'completed');
		assert.equal(made?.json.duration, 6);
		assert.deepEqual(made?.json.job, { kind: 'model_video', id: made?.json.video_id });

		const sent = simulator.control
			.requests({ method: 'POST', path: '/v3/models/videos' })
			.map(({ body }) => body as { model?: string; image?: { type: string; asset_id: string } })
			.find(({ model }) => model === 'model-of-flow-43');
		assert.equal(sent?.image?.type, 'asset_id', 'the picture was uploaded first');
		const asset = await fetch(`${simulator.baseUrl}/public/${sent?.image?.asset_id}/file`);
		assert.ok(
			Buffer.from(await asset.arrayBuffer()).equals(media('thumbnail.jpg')),
			'every byte of the picture is at the service',
		);

		const [item] = succeeded(execution, 'Download');
		const binary = item?.binary?.data;
		assert.ok(binary, 'a file is in the field data');
		assert.equal(binary.mimeType, 'video/mp4');
		assert.equal(binary.fileName, 'moving.mp4');
		assert.ok((await n8n.binary(binary)).equals(media('video.mp4')), 'every byte of the video');
	},
};
