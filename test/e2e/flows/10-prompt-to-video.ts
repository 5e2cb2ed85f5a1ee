import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import type { Flow } from '../flow';
import { example, runDraft, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 01: a prompt becomes a video file in n8n, with one node',
	older: 'main',
	run: async (context) => {
		const execution = await runDraft(context, example('01-prompt-to-video.json'));
		const [item] = succeeded(execution, 'Generate Video');
		assert.equal(item?.json.status, 'completed');
		const binary = item?.binary?.data;
		assert.ok(binary, 'a file is in the field data');
		assert.equal(binary.mimeType, 'video/mp4');
		assert.match(String(binary.fileName), /^A cheerful 30 second video.*\.mp4$/);
		const rendered = readFileSync(join(projectRoot, 'simulator', 'media', 'video.mp4'));
		const bytes = await context.n8n.binary(binary);
		assert.equal(bytes.length, rendered.length);
		assert.ok(bytes.equals(rendered), 'every byte of the rendered file');
	},
};
