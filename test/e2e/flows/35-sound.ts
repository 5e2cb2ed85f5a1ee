import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { chain, errorText, runDraft, start, succeeded } from '../workflows';

const sound = `${packageName}.videoGenSound`;

const searchAndDownload = (audio_url: INodeParameters[string]) =>
	chain('Sound', [
		start,
		{
			name: 'Search',
			type: sound,
			parameters: {
				operation: 'search',
				query: 'calm piano',
				type: 'music',
				returnAll: false,
				limit: 2,
				options: { min_score: 0.8 },
			},
		},
		{
			name: 'Download',
			type: sound,
			parameters: { operation: 'download', audio_url, binaryPropertyName: 'music' },
		},
	]);

export const flow: Flow = {
	name: 'music is found and downloaded; an address that is no longer good is a clear error',
	run: async (context) => {
		const execution = await runDraft(context, searchAndDownload('={{ $json.audio_url }}'));
		const found = succeeded(execution, 'Search');
		const items = succeeded(execution, 'Download');
		assert.equal(items.length, 2);
		const bytes = readFileSync(join(projectRoot, 'simulator', 'media', 'speech.wav'));
		for (const [i, item] of items.entries()) {
			assert.deepEqual(item.json, found[i]?.json);
			const binary = item.binary?.music;
			assert.ok(binary, 'a file is in the field music');
			assert.equal(binary.fileName, `${String(item.json.name)}.wav`);
			assert.ok((await context.n8n.binary(binary)).equals(bytes), 'every byte of the sound');
		}

		const expired = await runDraft(
			context,
			searchAndDownload('={{ $json.audio_url.replace(/expires=\\d+/, "expires=1") }}'),
		);
		assert.equal(expired.status, 'error');
		assert.match(errorText(expired), /The URL of the sound has expired/);
		assert.match(errorText(expired), /Search again/);
	},
};
