import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { openFormOf, submitForm } from '../forms';
import { example, succeeded, whilePublished } from '../workflows';

const png = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

export const flow: Flow = {
	name: 'example 15: ten files from a form are uploaded in one batch and output as ten items with names and IDs',
	run: async (context) => {
		const { n8n, simulator } = context;
		const draft = example('15-many-files-at-once.json');
		const names = Array.from({ length: 10 }, (_, i) => `picture-${i}.png`);
		const batches = () =>
			simulator.control.requests({ method: 'POST', path: '/v3/assets/direct-uploads/batches' });
		const before = batches().length;
		const execution = await whilePublished(context, draft, async (workflowId) => {
			// Each is another file.
			const files = names.map(
				(name, i) => new File([png, Buffer.alloc(i)], name, { type: 'image/png' }),
			);
			await submitForm(await openFormOf(n8n, draft), { Files: files });
			return await n8n.waitForExecution({ workflowId });
		});
		assert.equal(batches().length, before + 1, 'one batch');
		const assets = succeeded(execution, 'Names and IDs');
		// Forms do not keep the order of files.
		assert.deepEqual(assets.map(({ json }) => json.filename).sort(), names);
		assert.equal(new Set(assets.map(({ json }) => json.asset_id)).size, 10);
		for (const { json } of assets) {
			const reply = await fetch(`${simulator.baseUrl}/v3/assets/${String(json.asset_id)}`, {
				headers: { 'x-api-key': simulator.apiKey },
			});
			const { data } = (await reply.json()) as { data: { url: string } };
			const bytes = await (await fetch(data.url)).arrayBuffer();
			const i = names.indexOf(String(json.filename));
			assert.equal(bytes.byteLength, png.length + i, 'the file of that name');
		}
	},
};
