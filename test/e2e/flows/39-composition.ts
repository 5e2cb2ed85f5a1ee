import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, errorText, itemsNode, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenComposition`;

export const flow: Flow = {
	name: 'a page becomes a zip, the zip a composition render, the render a file in the hands of n8n',
	run: async (context) => {
		const { n8n, simulator } = context;
		const execution = await runDraft(
			context,
			chain('Composition', [
				start,
				...itemsNode([{ html: '<!doctype html><h1>Hello</h1>' }]),
				{
					name: 'Page',
					type: 'n8n-nodes-base.convertToFile',
					parameters: {
						operation: 'toText',
						sourceProperty: 'html',
						binaryPropertyName: 'data',
						options: { fileName: 'index.html' },
					},
					more: { typeVersion: 1.1 },
				},
				{
					name: 'Zip',
					type: 'n8n-nodes-base.compression',
					parameters: {
						operation: 'compress',
						binaryPropertyName: 'data',
						outputFormat: 'zip',
						fileName: 'project.zip',
						binaryPropertyOutput: 'project',
					},
					more: { typeVersion: 1.1 },
				},
				{
					name: 'Render',
					type,
					parameters: {
						operation: 'create',
						projectFrom: 'file',
						project: { __rl: true, mode: 'binary', value: 'project' },
						resolution: '4k',
						aspect_ratio: '9:16',
						variablesFrom: 'json',
						variables_json: '={{ JSON.stringify({ headline: "Hello" }) }}',
						waitForCompletion: true,
						lookAndSound: { format: 'webm' },
						options: { title: 'Intro', pollInterval: 1 },
					},
				},
				{
					name: 'Download',
					type,
					parameters: {
						operation: 'download',
						render_id: byId('={{ $json.render_id }}'),
						binaryPropertyName: 'data',
						options: { fileName: 'intro.webm' },
					},
				},
			]),
		);
		const [render] = succeeded(execution, 'Render');
		assert.equal(render?.json.status, 'completed');
		assert.equal(render?.json.resolution, '4k');
		const request = simulator.control
			.requests({ method: 'POST', path: '/v3/hyperframes/renders' })
			.at(-1);
		const body = request?.body as { project: { type: string }; variables: object };
		assert.equal(body.project.type, 'asset_id', 'the zip is an asset of the service');
		assert.deepEqual(body.variables, { headline: 'Hello' });

		const [item] = succeeded(execution, 'Download');
		const binary = item?.binary?.data;
		assert.ok(binary, 'a file is in the field data');
		assert.equal(binary.fileName, 'intro.webm');
		assert.equal(binary.mimeType, 'video/webm');
		const rendered = readFileSync(join(projectRoot, 'simulator', 'media', 'video.webm'));
		assert.ok((await n8n.binary(binary)).equals(rendered), 'every byte of the rendered file');

		const before = simulator.control.requests().length;
		const old = await runDraft(
			context,
			chain('Old word', [
				start,
				{
					name: 'Render',
					type,
					parameters: {
						operation: 'create',
						projectFrom: 'file',
						project: { __rl: true, mode: 'url', value: 'https://files.example/intro.zip' },
						resolution: '={{ "portrait-4k" }}',
						aspect_ratio: '16:9',
						waitForCompletion: false,
					},
				},
			]),
		);
		assert.equal(old.status, 'error');
		assert.match(errorText(old), /use Resolution 4k with Aspect Ratio 9:16/);
		assert.equal(simulator.control.requests().length, before, 'nothing was sent');
	},
};
