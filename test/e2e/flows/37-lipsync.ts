import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, itemsNode, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenLipsync`;
const translation = `${packageName}.videoGenTranslation`;
const media = (file: string) => readFileSync(join(projectRoot, 'simulator', 'media', file));
const inField = (field: string) => ({ __rl: true as const, mode: 'binary', value: field });

export const flow: Flow = {
	name: 'the sound of a translation speaks in another film; twelve lipsyncs are one batch',
	run: async (context) => {
		const { n8n, simulator, credential } = context;
		const { control } = simulator;
		const execution = await runDraft(
			context,
			chain('Lips', [
				start,
				{
					name: 'Translate',
					type: translation,
					parameters: {
						resource: 'translation',
						operation: 'create',
						video: { __rl: true, mode: 'url', value: 'https://files.example/talk.mp4' },
						output_languages: ['Turkish'],
						mode: 'speed',
						waitForCompletion: true,
						options: { translate_audio_only: true, pollInterval: 1 },
					},
				},
				{
					name: 'Sound',
					type: translation,
					parameters: {
						resource: 'translation',
						operation: 'download',
						video_translation_id: byId('={{ $json.video_translation_id }}'),
						files: ['audio'],
						binaryPropertyName: 'sound',
					},
				},
				{
					name: 'Lipsync',
					type,
					parameters: {
						operation: 'create',
						video: { __rl: true, mode: 'url', value: 'https://files.example/other.mp4' },
						audio: inField('sound'),
						mode: 'precision',
						waitForCompletion: true,
						options: { title: 'Other film', pollInterval: 1 },
					},
				},
				{
					name: 'Download',
					type,
					parameters: {
						operation: 'download',
						lipsync_id: byId('={{ $json.lipsync_id }}'),
						files: ['video'],
						binaryPropertyName: 'data',
					},
				},
			]),
		);
		const [item] = succeeded(execution, 'Download');
		assert.equal(item?.json.status, 'completed');
		assert.equal(item?.json.title, 'Other film');
		assert.ok(item?.binary?.data);
		assert.equal(item.binary.data.mimeType, 'video/mp4');
		assert.ok((await n8n.binary(item.binary.data)).equals(media('video.mp4')), 'every byte');

		const create = control.requests({ method: 'POST', path: '/v3/lipsyncs' }).at(-1);
		const { audio } = create?.body as { audio: { asset_id: string } };
		const reply = await fetch(`${simulator.baseUrl}/v3/assets/${audio.asset_id}`, {
			headers: { 'x-api-key': simulator.apiKey },
		});
		const { data } = (await reply.json()) as { data: { url: string } };
		const sound = Buffer.from(await (await fetch(data.url)).arrayBuffer());
		assert.ok(sound.equals(media('speech.wav')), 'the sound went up as it is');

		const { results } = await n8n.listSearch({
			type,
			path: 'lipsync_id',
			method: 'searchLipsyncs',
			filter: 'other',
			parameters: { authentication: 'apiKey', operation: 'get' },
			credentials: { videoGenApi: credential },
		});
		assert.equal(results[0]?.value, item.json.id, 'the list of the editor finds it by its title');

		const batches = control.jobs('batch').length;
		const many = await runDraft(
			context,
			chain('Many lips', [
				start,
				...itemsNode(Array.from({ length: 12 }, (_, i) => ({ i }))),
				{
					name: 'Batch',
					type,
					parameters: {
						operation: 'createBatch',
						itemIs: 'form',
						video: { __rl: true, mode: 'url', value: 'https://files.example/other.mp4' },
						audio: {
							__rl: true,
							mode: 'url',
							value: '=https://files.example/{{ $json.i }}.mp3',
						},
						mode: 'speed',
						waitForCompletion: true,
						options: { title: '=Film {{ $json.i }}', pollInterval: 1 },
					},
				},
			]),
		);
		const rows = succeeded(many, 'Batch');
		assert.deepEqual(
			rows.map(({ json }) => [json.status, json.title]),
			Array.from({ length: 12 }, (_, i) => ['completed', `Film ${i}`]),
			'each row has its own',
		);
		assert.equal(control.jobs('batch').length, batches + 1, 'one batch');
	},
};
