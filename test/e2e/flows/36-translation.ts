import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, itemsNode, media, runDraft, start, succeeded, type Link } from '../workflows';

const type = `${packageName}.videoGenTranslation`;
const inField = (field: string) => ({ __rl: true as const, mode: 'binary', value: field });

/** A finished video of the account, as a file in n8n. */
const film: Link = {
	name: 'Film',
	type: 'video',
	parameters: {
		operation: 'download',
		video_id: byId('video_001'),
		files: ['video'],
		binaryPropertyName: 'film',
	},
};

export const flow: Flow = {
	name: 'a file becomes films in three languages; corrected words become a fourth; what is too large for one batch becomes two',
	run: async (context) => {
		const { n8n, simulator, credential } = context;
		const { control } = simulator;

		/** What the service holds of an asset. */
		const uploaded = async (input: { asset_id: string }) => {
			const reply = await fetch(`${simulator.baseUrl}/v3/assets/${input.asset_id}`, {
				headers: { 'x-api-key': simulator.apiKey },
			});
			const { data } = (await reply.json()) as { data: { url: string } };
			return Buffer.from(await (await fetch(data.url)).arrayBuffer());
		};

		const languages = await n8n.loadOptions({
			type,
			path: 'output_languages',
			method: 'getTranslationLanguages',
			parameters: { authentication: 'apiKey', resource: 'translation', operation: 'create' },
			credentials: { videoGenApi: credential },
		});
		const chosen = languages
			.map(({ value }) => String(value))
			.filter((name) => /^(German|French|Portuguese)$/.test(name));
		assert.equal(chosen.length, 3, 'the list of the editor names the languages');

		const translated = await runDraft(
			context,
			chain('Translate a film', [
				start,
				film,
				{
					name: 'Translate',
					type,
					parameters: {
						resource: 'translation',
						operation: 'create',
						video: inField('film'),
						output_languages: chosen,
						mode: 'speed',
						waitForCompletion: true,
						options: { title: 'Spring sale', pollInterval: 1 },
					},
				},
				{
					name: 'Download',
					type,
					parameters: {
						resource: 'translation',
						operation: 'download',
						video_translation_id: byId('={{ $json.video_translation_id }}'),
						files: ['video'],
						binaryPropertyName: 'data',
						options: { fileName: '={{ $json.title }} - {{ $json.output_language }}.mp4' },
					},
				},
			]),
		);
		const finished = succeeded(translated, 'Translate');
		assert.deepEqual(
			finished.map(({ json }) => [json.output_language, json.status]),
			chosen.map((name) => [name, 'completed']),
		);
		const files = succeeded(translated, 'Download');
		assert.deepEqual(
			files.map(({ binary }) => binary?.data?.fileName),
			chosen.map((name) => `Spring sale - ${name}.mp4`),
		);
		for (const { binary } of files) {
			assert.ok(binary?.data);
			assert.ok(
				(await n8n.binary(binary.data)).equals(media('video.mp4')),
				'every byte of the film',
			);
		}
		const create = control.requests({ method: 'POST', path: '/v3/video-translations' }).at(-1);
		const { video } = create?.body as { video: { asset_id: string } };
		assert.ok((await uploaded(video)).equals(media('video.mp4')), 'the film went up as it is');

		const proofread = await runDraft(
			context,
			chain('Correct the words', [
				start,
				film,
				{
					name: 'Proofread',
					type,
					parameters: {
						resource: 'proofread',
						operation: 'create',
						video: inField('film'),
						title: 'Spring sale',
						output_languages: ['Italian'],
						mode: 'precision',
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Words',
					type,
					parameters: {
						resource: 'proofread',
						operation: 'getSubtitles',
						proofread_id: '={{ $json.proofread_id }}',
						download: ['translated'],
						binaryPropertyName: 'words',
					},
				},
				{
					name: 'Correct',
					type,
					parameters: {
						resource: 'proofread',
						operation: 'replaceSubtitles',
						proofread_id: '={{ $json.proofread_id }}',
						srt: inField('words'),
					},
				},
				{
					name: 'Generate',
					type,
					parameters: {
						resource: 'proofread',
						operation: 'generate',
						proofread_id: '={{ $json.id }}',
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Captions',
					type,
					parameters: {
						resource: 'translation',
						operation: 'download',
						video_translation_id: byId('={{ $json.video_translation_id }}'),
						files: ['vtt'],
						binaryPropertyName: 'data',
					},
				},
			]),
		);
		const [captions] = succeeded(proofread, 'Captions');
		assert.equal(captions?.json.output_language, 'Italian');
		assert.ok(captions?.binary?.data);
		assert.ok((await n8n.binary(captions.binary.data)).equals(media('captions.vtt')));
		const replaced = control
			.requests({ method: 'PUT', path: /^\/v3\/video-translations\/proofreads\/[^/]+\/srt$/ })
			.at(-1);
		const { srt } = replaced?.body as { srt: { asset_id: string } };
		assert.ok((await uploaded(srt)).equals(media('captions.srt')), 'the words went up again');

		const batches = { method: 'POST', path: '/v3/video-translations/batches' };
		const before = control.requests(batches).length;
		const large = await runDraft(
			context,
			chain('Many', [
				start,
				...itemsNode(Array.from({ length: 51 }, (_, i) => ({ i }))),
				{
					name: 'Batch',
					type,
					parameters: {
						resource: 'translation',
						operation: 'createBatch',
						itemIs: 'form',
						video: {
							__rl: true,
							mode: 'url',
							value: '=https://files.example/{{ $json.i }}.mp4',
						},
						output_languages: chosen.slice(0, 2),
						mode: 'speed',
						waitForCompletion: false,
					},
				},
			]),
		);
		assert.deepEqual(
			succeeded(large, 'Batch').map(({ pairedItem }) => pairedItem),
			Array.from({ length: 51 }, (_, item) => [{ item }, { item }]).flat(),
			'two items for each row, in order',
		);
		assert.equal(control.requests(batches).length, before + 2, 'two batches');
	},
};
