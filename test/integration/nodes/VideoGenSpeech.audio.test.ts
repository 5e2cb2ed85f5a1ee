import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { retryOnFail } from '../support/calls';
import { url } from '../support/cases';
import { byId, readContent, runNode } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { createAudioEvent, joinEvents, createSamples, createWav } from '../support/wav';

const NODE = 'VideoGenSpeech';
const streamPath = '/v3/models/audio/tts/stream';
const goesOn = { node: { onError: 'continueRegularOutput' as const } };
const recording = media('speech.wav');

const service = useService();

const streamed = (more: INodeParameters = {}): INodeParameters => ({
	...{ operation: 'synthesizeStreamed', voice_id: byId('any'), text: 'Hello there.' },
	...{ language: 'en', with_timestamps: false, binaryPropertyName: 'data', ...more },
});

async function aVoice(name = 'Narrator') {
	const { items } = await runNode(service, 'VideoGenVoice', {
		resource: 'professionalVoice',
		operation: 'train',
		audio: { recording: [{ file: url('https://a.example/a.wav') }] },
		name,
		waitForCompletion: false,
	});
	return String(items[0]?.json.voice_id);
}

/** Makes the service respond with these events. */
function answers(...events: unknown[]) {
	service.control.fail({
		method: 'POST',
		path: streamPath,
		status: 200,
		headers: { 'content-type': 'text/event-stream' },
		body: joinEvents(events),
	});
}

/** Reads the 44-byte header of a joined WAV file. */
function header(file: Buffer) {
	expect(file.toString('latin1', 0, 4)).toBe('RIFF');
	expect(file.readUInt32LE(4)).toBe(file.length - 8);
	expect(file.toString('latin1', 8, 16)).toBe('WAVEfmt ');
	expect(file.toString('latin1', 36, 40)).toBe('data');
	expect(file.readUInt32LE(40)).toBe(file.length - 44);
	return {
		kind: file.readUInt16LE(20),
		channels: file.readUInt16LE(22),
		rate: file.readUInt32LE(24),
		bytesPerSecond: file.readUInt32LE(28),
		frame: file.readUInt16LE(32),
		bits: file.readUInt16LE(34),
	};
}

describe('audio in parts', () => {
	const whole = [
		createSamples(1, 100),
		createSamples(2, 50),
		createSamples(3, 75),
		createSamples(4, 1),
	];
	const parts = whole.map((one, index) => createAudioEvent(index, createWav(one)));

	test('joins 60 parts into one file with every sample', async () => {
		const words = Array.from({ length: 480 }, (_, i) => `word${i}`).join(' ');
		const voice_id = byId(await aVoice());
		const timed = { text: words, with_timestamps: true, options: { fileName: 'story.wav' } };
		const { items, error } = await runNode(service, NODE, streamed({ voice_id, ...timed }));
		expect(error).toBeUndefined();
		const [item] = items;
		const part = recording.subarray(recording.indexOf('data') + 8);
		const file = await readContent(item);
		expect(header(file)).toEqual({
			...{ kind: 1, channels: 1, rate: 44_100, bytesPerSecond: 88_200, frame: 2, bits: 16 },
		});
		expect(file.length).toBe(44 + 60 * 52_920 * 2);
		expect(file.subarray(44).equals(Buffer.concat(Array(60).fill(part)))).toBe(true);
		expect(item?.json).toMatchObject({ parts: 60, duration: (60 * 52_920) / 44_100 });
		expect(item?.json.word_alignments).toHaveLength(480);
		expect(item?.binary?.data).toMatchObject({ fileName: 'story.wav', mimeType: 'audio/wav' });
		const [request] = service.control.requests({ path: streamPath });
		expect(request?.headers.accept).toContain('text/event-stream');
	});

	test('joins parts in part order and ignores unknown events', async () => {
		const [a, b, c, d] = parts;
		answers(c, { type: 'progress', percent: 5 }, a, d, 7, a, b, '[DONE]');
		const { items, error } = await runNode(service, NODE, streamed());
		expect(error).toBeUndefined();
		const file = await readContent(items[0]);
		header(file);
		expect(file.subarray(44).equals(Buffer.concat(whole))).toBe(true);
		expect(items[0]?.json).toEqual({
			...{ parts: 4, duration: 226 / 44_100 },
			...{ outcome: 'finished', creation: 'created' },
		});
	});

	test.each([
		[{ channels: 2, rate: 24_000, bits: 16 }, 100 / 24_000],
		[{ channels: 1, rate: 48_000, bits: 24 }, 400 / 3 / 48_000],
	])('joins audio in other formats (%j)', async (format, duration) => {
		answers(
			createAudioEvent(0, createWav(createSamples(1, 100), format)),
			createAudioEvent(1, createWav(createSamples(2, 100), format)),
			'[DONE]',
		);
		const { items } = await runNode(service, NODE, streamed());
		expect(header(await readContent(items[0]))).toMatchObject(format);
		expect(items[0]?.json.duration).toBeCloseTo(duration, 12);
	});

	test.each([0, 0xffffffff, 0x7fffffff])(
		'reads a part to its end if its header claims %i bytes',
		async (claimed) => {
			answers(createAudioEvent(0, createWav(createSamples(1, 100), { claimed })), '[DONE]');
			const { items } = await runNode(service, NODE, streamed());
			expect((await readContent(items[0])).length).toBe(44 + 200);
		},
	);

	const [a, b, c] = parts;
	const broken: Array<[string, unknown[], number, RegExp]> = [
		[
			'without an end marker',
			[a, b],
			2,
			/2 parts of audio arrived, then the stream ended without an end marker/,
		],
		[
			'with an error of the service',
			[a, { type: 'error', detail: 'The voice is gone' }, b],
			1,
			/1 part of audio arrived, then the service reported: The voice is gone/,
		],
		['with a part missing', [a, c, '[DONE]'], 2, /then the stream ended without part 2/],
		[
			'with a part in another format',
			[a, b, createAudioEvent(2, createWav(createSamples(3, 75), { rate: 24_000 }))],
			2,
			/part 3 had a different audio format/,
		],
		...[
			['compressed', createWav(createSamples(2, 50), { kind: 85 })],
			['cut short', createWav(createSamples(2, 50), { claimed: 1000 })],
			['not audio', Buffer.from('hello')],
		].map(([what, file]): [string, unknown[], number, RegExp] => [
			`with a part that is ${String(what)}`,
			[a, createAudioEvent(1, file as Buffer)],
			1,
			/part 2 was not WAV audio that can be joined/,
		]),
		['with an event that cannot be read', [a, '{"type":', b], 1, /an event could not be read/],
		...[1e12, -1, 0.5].map((number): [string, unknown[], number, RegExp] => [
			`with a part that has the number ${number}`,
			[a, createAudioEvent(number, createWav(createSamples(2, 50))), '[DONE]'],
			1,
			new RegExp(`a part had the invalid number ${number}$`),
		]),
	];

	test.each(broken)(
		'a stream %s is an error that keeps the received audio',
		async (_, events, count, said) => {
			answers(...events);
			const stopped = await runNode(service, NODE, streamed());
			expect(stopped.error?.message).toMatch(/^The speech is incomplete: /);
			expect(stopped.error?.message).toMatch(said);
			expect(stopped.error?.description).toContain('On Error');
			// The speech is paid for, so the request is never repeated automatically.
			expect(service.control.requests({ path: streamPath })).toHaveLength(1);

			const { items, error } = await runNode(service, NODE, streamed(), goesOn);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			expect(items[0]).toMatchObject({
				pairedItem: { item: 0 },
				json: {
					error: expect.stringMatching(said),
					details: { code: 'incomplete_speech', parts: count },
				},
			});
			const file = await readContent(items[0]);
			header(file);
			const came = events
				.filter((event) => event === a || event === b || event === c)
				.slice(0, count)
				.map((event) => whole[parts.indexOf(event as (typeof parts)[0])] as Buffer);
			expect(file.subarray(44).equals(Buffer.concat(came))).toBe(true);
		},
	);

	test('the error output gets the item with the received audio', async () => {
		answers(a, { type: 'alignment', word_alignments: [{ text: 'Hello' }] });
		const { items, errors } = await runNode(service, NODE, streamed(), {
			items: [{ json: { order: 7 } }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(items).toHaveLength(0);
		expect(errors).toHaveLength(1);
		expect(errors[0]?.json).toMatchObject({
			order: 7,
			error: expect.stringContaining('1 part of audio arrived'),
			details: { parts: 1, word_alignments: [{ text: 'Hello' }] },
		});
		expect((await readContent(errors[0])).length).toBe(44 + 200);
	});

	test.each([
		['an end mark alone', ['[DONE]'], /0 parts of audio arrived, then the stream ended$/],
		[
			'an empty stream',
			[],
			/0 parts of audio arrived, then the stream ended without an end marker/,
		],
		['an error', [{ type: 'error', detail: { why: 'x' } }], /the service reported: \{"why":"x"\}/],
	])('%s is an error without a file', async (_, events, said) => {
		answers(...events);
		const { items } = await runNode(service, NODE, streamed(), goesOn);
		expect(items[0]?.json.error).toMatch(said);
		expect(items[0]?.binary).toBeUndefined();
		const { error } = await runNode(service, NODE, streamed());
		expect(error?.message).toMatch(said);
	});

	test('a broken connection is an error that keeps the received audio', async () => {
		const voice_id = byId(await aVoice());
		service.control.fail({ path: streamPath, cut: 'midway' });
		const text = Array.from({ length: 48 }, (_, i) => `word${i}`).join(' ');
		const { items } = await runNode(service, NODE, streamed({ voice_id, text }), goesOn);
		// Half of six parts arrived. The part that was cut does not count.
		const details = items[0]?.json.details as IDataObject;
		expect(items[0]?.json.error).toMatch(
			/arrived, then (the stream was interrupted|the stream ended)/,
		);
		expect(details.parts).toBeGreaterThan(0);
		expect(details.parts).toBeLessThan(6);
		const file = await readContent(items[0]);
		header(file);
		expect(file.length).toBe(44 + Number(details.parts) * 52_920 * 2);
	});
});

test('speech that arrives after another item has failed is kept for the retry, and paid for once', async () => {
	const voice = await aVoice();
	service.control.fail({ method: 'POST', path: streamPath, lateMs: 300 });
	const voices = [voice, voice, 'missing', voice];
	const { error } = await runNode(
		service,
		NODE,
		streamed({ voice_id: byId('={{ $json.voice }}'), text: '=Hello {{ $itemIndex }}.' }),
		{ items: voices.map((voice) => ({ json: { voice } })), node: retryOnFail },
	);
	expect(error?.message).toContain('[row 3]');
	const sent = service.control.requests({ method: 'POST', path: streamPath });
	const made = sent.filter(({ status }) => status === 200).map(({ body }) => body);
	expect(made.map((body) => (body as IDataObject).text).sort()).toEqual([
		...['Hello 0.', 'Hello 1.', 'Hello 3.'],
	]);
	expect(sent.length).toBeGreaterThan(made.length);
});
