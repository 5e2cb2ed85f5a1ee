import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenBackgroundRemoval`;

export const flow: Flow = {
	name: 'a film of the item loses its background, and the people in it come back as a file',
	run: async (context) => {
		const execution = await runDraft(
			context,
			chain('Background', [
				start,
				{
					name: 'Download Video',
					type: 'video',
					parameters: {
						operation: 'download',
						video_id: byId('video_001'),
						files: ['video'],
						binaryPropertyName: 'talk',
					},
				},
				{
					name: 'Remove',
					type,
					parameters: {
						operation: 'create',
						video: { __rl: true, mode: 'binary', value: 'talk' },
						waitForCompletion: true,
						options: { layers: ['foreground', 'mask'], title: 'Talk', pollInterval: 1 },
					},
				},
				{
					name: 'Download Layer',
					type,
					parameters: {
						operation: 'download',
						job_id: byId('={{ $json.id }}'),
						files: ['foreground'],
						binaryPropertyName: 'data',
					},
				},
			]),
		);
		const [removed] = succeeded(execution, 'Remove');
		assert.equal(removed?.json.status, 'completed');
		assert.deepEqual(Object.keys(removed?.json.layers as object).sort(), ['foreground', 'mask']);
		const [item] = succeeded(execution, 'Download Layer');
		const binary = item?.binary?.data;
		assert.ok(binary, 'a file is in the field data');
		assert.equal(binary.fileName, `${String(removed?.json.id)}_foreground.webm`);
		const rendered = readFileSync(join(projectRoot, 'simulator', 'media', 'video.webm'));
		assert.ok((await context.n8n.binary(binary)).equals(rendered), 'every byte of the layer');
	},
};
