import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded } from '../workflows';

const MiB = 2 ** 20;

export const flow: Flow = {
	name: 'a large file is downloaded and uploaded again while the memory of n8n grows by less than 100 MiB',
	run: async (context) => {
		const size = (context.isLong ? 1024 : 256) * MiB;
		const stage = await context.startOwn({ simulator: { jobSeconds: 0 } });
		const { n8n, simulator } = stage;
		const draft = chain('Large', [
			start,
			{
				name: 'Download',
				type: 'video',
				parameters: {
					operation: 'download',
					video_id: byId('video_001'),
					files: ['video'],
					binaryPropertyName: 'data',
				},
			},
			{
				name: 'Use',
				type: 'video',
				parameters: {
					operation: 'createStudio',
					scenesFrom: 'form',
					scenes: {
						scene: [
							{
								type: 'video',
								source: { __rl: true, mode: 'binary', value: 'data' },
								speech: 'none',
							},
						],
					},
					waitForCompletion: false,
				},
			},
		]);
		// Everything that is loaded once is loaded by a small file.
		for (let i = 0; i < 3; i++) succeeded(await runDraft(stage, draft), 'Use');

		simulator.control.setMediaBytes(size);
		const before = n8n.rssBytes();
		let most = before;
		const watch = setInterval(() => (most = Math.max(most, n8n.rssBytes())), 50);
		try {
			const execution = await runDraft(stage, draft, 240_000);
			const [item] = succeeded(execution, 'Download');
			assert.equal(item?.binary?.data?.bytes, size, 'the whole file is in n8n');
			succeeded(execution, 'Use');
			const upload = simulator.control.requests({ method: 'PUT' }).at(-1);
			assert.equal(
				(upload?.body as { bytes: number }).bytes,
				size,
				'the whole file is at the service',
			);
			const grown = (most - before) / MiB;
			context.log(
				`memory grew by ${grown.toFixed(0)} MiB at most, from ${(before / MiB).toFixed(0)} MiB`,
			);
			assert.ok(grown < 100, `memory grew by ${grown.toFixed(0)} MiB`);
		} finally {
			clearInterval(watch);
		}
	},
};
