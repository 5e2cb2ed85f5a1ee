import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, itemsNode, runDraft, start, succeeded } from '../workflows';

const MiB = 2 ** 20;
const size = 1024 * MiB;

const type = `${packageName}.videoGenAsset`;

const download = {
	name: 'Download Video',
	type: 'video',
	parameters: {
		operation: 'download',
		video_id: byId('video_001'),
		files: ['video'],
		binaryPropertyName: 'data',
	},
};

const upload = {
	name: 'Upload',
	type,
	parameters: { operation: 'upload', binaryPropertyName: 'data' },
};

export const flow: Flow = {
	name: 'files become assets: a small one and back, 25 in one batch, and 1 GiB in flat memory',
	run: async (context) => {
		const stage = await context.startOwn({ simulator: { jobSeconds: 0 } });
		const { n8n, simulator, credential } = stage;
		const { control } = simulator;

		// A small file goes up as a form, and comes back byte for byte.
		const there = chain('There and back', [
			start,
			download,
			upload,
			{
				name: 'Download Asset',
				type,
				parameters: {
					operation: 'download',
					asset_id: byId('={{ $json.asset_id }}'),
					binaryPropertyName: 'again',
				},
			},
		]);
		const [back] = succeeded(await runDraft(stage, there), 'Download Asset');
		const binary = back?.binary?.again;
		assert.ok(binary, 'a file is in the field again');
		const film = readFileSync(join(projectRoot, 'simulator', 'media', 'video.mp4'));
		assert.ok((await n8n.binary(binary)).equals(film), 'every byte of the film');
		assert.equal(control.requests({ method: 'POST', path: '/v3/assets' }).length, 1);
		assert.equal(control.requests({ method: 'PUT' }).length, 0);

		// The asset can be chosen from the list where a file is asked for.
		const { results } = await n8n.listSearch({
			type,
			path: 'asset_id',
			method: 'searchAssets',
			filter: 'video_001',
			parameters: { authentication: 'apiKey', operation: 'get' },
			credentials: { videoGenApi: credential },
		});
		assert.deepEqual(
			results.map(({ value }) => value),
			[back?.json.id],
		);

		// 25 files are one batch, and 25 items.
		const names = Array.from({ length: 25 }, (_, i) => ({ name: `film ${i}.mp4` }));
		const batch = chain('Batch', [
			start,
			...itemsNode(names),
			{
				...download,
				parameters: { ...download.parameters, options: { fileName: '={{ $json.name }}' } },
			},
			{
				name: 'Upload Batch',
				type,
				parameters: {
					operation: 'uploadBatch',
					binaryPropertyNames: 'data',
					waitForCompletion: true,
					options: { pollInterval: 1 },
				},
			},
		]);
		const assets = succeeded(await runDraft(stage, batch), 'Upload Batch');
		assert.deepEqual(
			assets.map(({ json, pairedItem }) => [json.filename, json.status, pairedItem]),
			names.map(({ name }, item) => [name, 'completed', { item }]),
		);
		assert.equal(new Set(assets.map(({ json }) => json.asset_id)).size, 25);
		assert.equal(
			control.requests({ method: 'POST', path: '/v3/assets/direct-uploads/batches' }).length,
			1,
		);
		assert.equal(control.requests({ method: 'PUT' }).length, 25);

		// 1 GiB goes up as a stream.
		const large = chain('Large', [start, download, upload]);
		for (let i = 0; i < 3; i++) succeeded(await runDraft(stage, large), 'Upload');
		control.setMediaBytes(size);
		const before = n8n.rssBytes();
		let most = before;
		const watch = setInterval(() => (most = Math.max(most, n8n.rssBytes())), 50);
		try {
			const execution = await runDraft(stage, large, 240_000);
			const [item] = succeeded(execution, 'Upload');
			assert.equal(item?.json.size_bytes, size);
			const put = control.requests({ method: 'PUT' }).at(-1);
			assert.equal(
				(put?.body as { bytes: number }).bytes,
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
