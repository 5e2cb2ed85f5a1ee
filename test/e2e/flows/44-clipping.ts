import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const type = 'n8n-nodes-videogen.videoGenClipping';

export const flow: Flow = {
	name: 'a film in the hands of n8n becomes clips, one item and one file each',
	run: async (context) => {
		const execution = await runDraft(
			context,
			chain('Film to clips', [
				start,
				{
					name: 'Film',
					type: 'video',
					parameters: {
						operation: 'download',
						video_id: byId('video_001'),
						files: ['video'],
						binaryPropertyName: 'film',
					},
				},
				{
					name: 'Clip',
					type,
					parameters: {
						operation: 'create',
						video: { __rl: true, mode: 'binary', value: 'film' },
						output_settings: {
							duration_types: ['30', '60'],
							aspect_ratio: 'square',
							caption_style: 'golden',
						},
						waitForCompletion: true,
						splitIntoClips: true,
						options: { title: 'Flow 44', pollInterval: 1 },
					},
				},
				{
					name: 'Download',
					type,
					parameters: {
						operation: 'download',
						job_id: byId('={{ $json.job_id }}'),
						clip_id: byId('={{ $json.clip_id }}'),
						files: ['video'],
						binaryPropertyName: 'data',
					},
				},
				{
					name: 'Delete',
					type,
					parameters: { operation: 'delete', job_id: byId('={{ $json.job_id }}') },
					more: { executeOnce: true },
				},
			]),
		);
		const clips = succeeded(execution, 'Clip');
		assert.equal(clips.length, 3, 'one item per clip');
		for (const { json } of clips) {
			const job = json.clipping as { title: string; status: string };
			assert.equal(job.title, 'Flow 44');
			assert.equal(job.status, 'completed');
			assert.equal(json.aspect_ratio, 'square');
		}

		const files = succeeded(execution, 'Download');
		assert.equal(files.length, 3);
		const rendered = readFileSync(join(projectRoot, 'simulator', 'media', 'captioned.mp4'));
		for (const [i, { json, binary }] of files.entries()) {
			assert.equal(json.clip_id, clips[i]?.json.clip_id, 'in the order of the clips');
			assert.ok(binary?.data, 'a file is in the field data');
			assert.equal(binary.data.fileName, `${String(json.clip_id)}.mp4`);
			assert.ok((await context.n8n.binary(binary.data)).equals(rendered), 'every byte of the clip');
		}

		const [deleted] = succeeded(execution, 'Delete');
		assert.equal(deleted?.json.id, clips[0]?.json.job_id);
	},
};
