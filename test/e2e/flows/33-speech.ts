import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, type Link, runDraft, start, succeeded } from '../workflows';

const speech = `${packageName}.videoGenSpeech`;
const text = Array.from({ length: 24 }, (_, i) => `word${i}`).join(' ');

const streamed = (voice: string, more: Partial<Link> = {}): Link => ({
	name: 'Streamed',
	type: speech,
	parameters: {
		operation: 'synthesizeStreamed',
		voice_id: byId(voice),
		text,
		language: 'en',
		with_timestamps: true,
		binaryPropertyName: 'data',
		options: { fileName: 'story.wav' },
	},
	...more,
});

export const flow: Flow = {
	name: 'a recording becomes a professional voice that speaks, as a file and part by part',
	run: async (context) => {
		const { n8n, simulator } = context;
		const spoken = readFileSync(join(projectRoot, 'simulator', 'media', 'speech.wav'));
		const execution = await runDraft(
			context,
			chain('Speech', [
				start,
				{
					name: 'Record',
					type: speech,
					parameters: {
						operation: 'speak',
						voice_id: byId('voice_002'),
						text: 'Hello there, <break time="1s"/> this is a recording.',
						downloadAudio: true,
						binaryPropertyName: 'recording',
						lookAndSound: { speed: 1.5 },
						options: { input_type: 'ssml' },
					},
				},
				{
					name: 'Train',
					type: `${packageName}.videoGenVoice`,
					parameters: {
						resource: 'professionalVoice',
						operation: 'train',
						audio: { recording: [{ file: { __rl: true, mode: 'binary', value: 'recording' } }] },
						name: 'Narrator',
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Synthesize',
					type: speech,
					parameters: {
						operation: 'synthesize',
						voice_id: byId('={{ $json.voice_id }}'),
						text: 'Hello there.',
						language: 'en',
						downloadAudio: true,
						binaryPropertyName: 'data',
						options: { seed: 7 },
					},
				},
				streamed("={{ $('Train').item.json.voice_id }}"),
			]),
		);
		const [voice] = succeeded(execution, 'Train');
		assert.equal(voice?.json.status, 'ACTIVE');
		const [file] = succeeded(execution, 'Synthesize');
		assert.ok(file?.binary?.data, 'the speech is in the field data');
		assert.ok((await n8n.binary(file.binary.data)).equals(spoken), 'every byte of the speech');

		const [item] = succeeded(execution, 'Streamed');
		assert.equal(item?.json.parts, 3);
		assert.equal((item.json.word_alignments as unknown[]).length, 24);
		const binary = item.binary?.data;
		assert.equal(binary?.fileName, 'story.wav');
		assert.equal(binary?.mimeType, 'audio/wav');
		const samples = spoken.subarray(spoken.indexOf('data') + 8);
		const joined = await n8n.binary(binary);
		assert.equal(joined.readUInt32LE(40), 3 * samples.length, 'one header for all parts');
		assert.ok(joined.subarray(44).equals(Buffer.concat([samples, samples, samples])));

		simulator.control.fail({ path: '/v3/models/audio/tts/stream', cut: 'midway', times: 1 });
		const cut = await runDraft(
			context,
			chain('Cut', [
				start,
				streamed(String(voice.json.voice_id), { more: { onError: 'continueRegularOutput' } }),
			]),
		);
		const [partial] = succeeded(cut, 'Streamed');
		assert.match(
			String(partial?.json.error),
			/^The speech is incomplete: \d parts? of audio arrived/,
		);
		assert.ok(partial?.binary?.data, 'what came is kept');
		const kept = await n8n.binary(partial.binary.data);
		assert.ok(kept.length > 44 && kept.length < joined.length);
	},
};
