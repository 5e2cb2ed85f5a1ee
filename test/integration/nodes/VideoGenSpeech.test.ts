import type { IDataObject } from 'n8n-workflow';
import { operations } from '../../../nodes/VideoGenSpeech/operations';
import type { Simulator } from '../../../simulator';
import { byId, contentOf } from '../support/engine';
import { describeOperations, first, made, noWait, url, type Case } from '../support/cases';
import { media } from '../support/media';

const wav = media('speech.wav');

const aModelVoice = async (service: Simulator) =>
	await made(service, 'VideoGenVoice', {
		resource: 'professionalVoice',
		operation: 'train',
		audio: { recording: [{ file: url('https://files.example/a.wav') }] },
		...noWait,
	});

const cases: Record<string, Case> = {
	speak: {
		parameters: () => ({
			voice_id: byId('voice_001'),
			text: 'Hello <break time="5s" /> there.',
			downloadAudio: true,
			binaryPropertyName: 'speech',
			options: {
				input_type: 'ssml',
				speed: '2',
				language: 'en',
				locale: 'en-GB',
				settings: '{"engine_type": "some-engine"}',
				model_id: 'some-model',
				fileName: 'hello.wav',
			},
		}),
		sends: () => ({
			line: 'POST /v3/voices/speech',
			body: {
				voice_id: 'voice_001',
				text: 'Hello <break time="5s" /> there.',
				input_type: 'ssml',
				speed: 2,
				language: 'en',
				locale: 'en-GB',
				settings: { engine_type: 'some-engine', model_id: 'some-model' },
			},
		}),
		returns: async (items) => {
			expect(first(items)).toMatchObject({
				audio_url: expect.stringContaining('http'),
				duration: expect.any(Number),
				word_timestamps: [{ word: 'Hello' }, { word: 'there.' }],
			});
			expect(items[0]?.binary?.speech).toMatchObject({
				fileName: 'hello.wav',
				mimeType: 'audio/wav',
			});
			expect((await contentOf(items[0], 'speech')).equals(wav)).toBe(true);
		},
	},
	synthesize: {
		before: aModelVoice,
		parameters: (ids) => ({
			voice_id: byId(String(ids.voice_id)),
			text: 'Hello <break time="1.5s"/> there.',
			language: 'en',
			downloadAudio: false,
			options: { seed: 4294967295 },
		}),
		sends: (ids) => ({
			line: 'POST /v3/models/audio/tts',
			body: {
				voice_id: ids.voice_id,
				text: 'Hello <break time="1.5s"/> there.',
				language: 'en',
				seed: 4294967295,
			},
		}),
		returns: (items) => {
			expect(first(items)).toEqual({
				audio_url: expect.stringContaining('http'),
				duration: expect.any(Number),
			});
			expect(items[0]?.binary).toBeUndefined();
		},
	},
	synthesizeStreamed: {
		before: aModelVoice,
		parameters: (ids) => ({
			voice_id: byId(String(ids.voice_id)),
			text: 'one two three four five six seven eight nine',
			language: 'en',
			with_timestamps: true,
			binaryPropertyName: 'data',
			options: { seed: 1, additionalBodyFields: '{"model": "newest"}' },
		}),
		sends: (ids) => ({
			line: 'POST /v3/models/audio/tts/stream',
			body: {
				voice_id: ids.voice_id,
				text: 'one two three four five six seven eight nine',
				language: 'en',
				with_timestamps: true,
				seed: 1,
				model: 'newest',
			},
		}),
		returns: async (items) => {
			const { word_alignments: words, ...facts } = first(items);
			// Two parts of 1.2 seconds.
			expect(facts).toEqual({ parts: 2, duration: 2.4 });
			expect((words as IDataObject[]).map(({ text }) => text).join(' ')).toBe(
				'one two three four five six seven eight nine',
			);
			expect((words as IDataObject[])[8]).toEqual({
				text: 'nine',
				start_time: 3.2,
				end_time: 3.5500000000000003,
				confidence: 0.98,
			});
			expect(items[0]?.binary?.data).toMatchObject({
				fileName: 'speech.wav',
				mimeType: 'audio/wav',
			});
		},
	},
};

// One by one, each with a service of its own: speech is held to 30 requests a minute.
for (const operation of operations) {
	const { value } = operation;
	describeOperations('VideoGenSpeech', [operation], { [value]: cases[value] as Case }, [
		// The API tells no limits of it, but there is no speech without speed.
		`${value}, Speed, less than the least`,
	]);
}

test('every operation has a case', () => {
	expect(Object.keys(cases).sort()).toEqual(operations.map(({ value }) => value).sort());
});
