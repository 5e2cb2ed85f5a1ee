import assert from 'node:assert/strict';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, media, runDraft, start, succeeded } from '../workflows';

const draft = chain('Streamed speech', [
	start,
	{
		name: 'Train',
		type: `${packageName}.videoGenVoice`,
		parameters: {
			resource: 'professionalVoice',
			operation: 'train',
			audio: {
				recording: [{ file: { __rl: true, mode: 'url', value: 'https://a.example/a.wav' } }],
			},
			name: 'Narrator',
			waitForCompletion: true,
			advanced: { pollInterval: 1 },
		},
	},
	{
		name: 'Speak',
		type: `${packageName}.videoGenSpeech`,
		parameters: {
			operation: 'synthesizeStreamed',
			voice_id: byId('={{ $json.voice_id }}'),
			text: Array.from({ length: 24 }, (_, i) => `word${i}`).join(' '),
			language: 'en',
			with_timestamps: true,
			binaryPropertyName: 'data',
			options: { fileName: 'story.wav' },
		},
		more: { onError: 'continueRegularOutput' },
	},
]);

export const flow: Flow = {
	name: 'speech that arrives in parts becomes one file, and a stream that breaks keeps its first parts',
	older: 'main',
	run: async (context) => {
		const { n8n, simulator } = context;
		const [item] = succeeded(await runDraft(context, draft), 'Speak');
		assert.equal(item?.json.parts, 3);
		const binary = item.binary?.data;
		assert.equal(binary?.fileName, 'story.wav');
		assert.equal(binary.mimeType, 'audio/wav');
		const part = media('speech.wav');
		const samples = part.subarray(part.indexOf('data') + 8);
		const joined = await n8n.binary(binary);
		assert.equal(joined.readUInt32LE(40), 3 * samples.length, 'one header for all parts');
		assert.ok(joined.subarray(44).equals(Buffer.concat([samples, samples, samples])));

		simulator.control.fail({ path: '/v3/models/audio/tts/stream', cut: 'midway', times: 1 });
		const [partial] = succeeded(await runDraft(context, draft), 'Speak');
		assert.match(
			String(partial?.json.error),
			/^The speech is incomplete: \d parts? of audio arrived/,
		);
		assert.ok(partial?.binary?.data, 'the item keeps the parts that arrived');
		const kept = await n8n.binary(partial.binary.data);
		assert.ok(kept.length > 44 && kept.length < joined.length);
	},
};
