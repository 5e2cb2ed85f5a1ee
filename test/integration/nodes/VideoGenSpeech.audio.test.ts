/** What is special to speech: its limits, its rate, and audio that comes in parts. */
import { Readable } from 'node:stream';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { collect, joined } from '../../../nodes/VideoGenSpeech/parts';
import { readWav } from '../../../nodes/VideoGenSpeech/wav';
import { startSimulator, type Simulator } from '../../../simulator';
import { search } from '../support/contexts';
import { byId, contentOf, runNode } from '../support/engine';
import { media } from '../support/media';

const NODE = 'VideoGenSpeech';
const streamPath = '/v3/models/audio/tts/stream';
const goesOn = { node: { onError: 'continueRegularOutput' as const } };
const recording = media('speech.wav');

// A service for each test: the nodes hold back speech beyond 30 requests a minute of one account.
let service: Simulator;
beforeEach(async () => {
	service = await startSimulator({ jobSeconds: 0 });
});
afterEach(async () => await service.close());

const speak = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'speak',
	voice_id: byId('voice_001'),
	text: 'Hello there.',
	downloadAudio: false,
	...more,
});

const synthesize = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'synthesize',
	voice_id: byId('any'),
	text: 'Hello there.',
	language: 'en',
	downloadAudio: false,
	...more,
});

const streamed = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'synthesizeStreamed',
	voice_id: byId('any'),
	text: 'Hello there.',
	language: 'en',
	with_timestamps: false,
	binaryPropertyName: 'data',
	...more,
});

async function aVoice(name = 'Narrator') {
	const { items } = await runNode(service, 'VideoGenVoice', {
		resource: 'professionalVoice',
		operation: 'train',
		audio: { recording: [{ file: { __rl: true, mode: 'url', value: 'https://a.example/a.wav' } }] },
		name,
		waitForCompletion: false,
	});
	return String(items[0]?.json.voice_id);
}

interface Header {
	channels?: number;
	rate?: number;
	bits?: number;
	kind?: number;
	/** Size to claim for the samples. */
	claimed?: number;
}

/** A WAV file by hand, with a chunk of odd length before the samples. */
function wav(samples: Buffer, header: Header = {}): Buffer {
	const { channels = 1, rate = 44_100, bits = 16, kind = 1, claimed = samples.length } = header;
	const frame = (channels * bits) / 8;
	const format = Buffer.alloc(16);
	format.writeUInt16LE(kind, 0);
	format.writeUInt16LE(channels, 2);
	format.writeUInt32LE(rate, 4);
	format.writeUInt32LE(rate * frame, 8);
	format.writeUInt16LE(frame, 12);
	format.writeUInt16LE(bits, 14);
	const size = (value: number) => {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32LE(value);
		return bytes;
	};
	const chunks = [
		...[Buffer.from('fmt '), size(16), format],
		...[Buffer.from('odd '), size(3), Buffer.from('abc\0')],
		...[Buffer.from('data'), size(claimed), samples],
	];
	const body = Buffer.concat([Buffer.from('WAVE'), ...chunks]);
	return Buffer.concat([Buffer.from('RIFF'), size(body.length), body]);
}

/** Samples that tell which part they are of: `count` of them, all `value`. */
function samples(value: number, count: number): Buffer {
	const buffer = Buffer.alloc(count * 2);
	for (let i = 0; i < count; i++) buffer.writeInt16LE(value, i * 2);
	return buffer;
}

const audio = (part_index: number, file: Buffer) => ({
	type: 'audio',
	part_index,
	audio: file.toString('base64'),
});

const eventsOf = (events: readonly unknown[], end = '\r\n') =>
	events
		.map(
			(event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}${end}${end}`,
		)
		.join(`: keep alive${end}`);

/** Lets the service answer with these events. */
function answers(...events: unknown[]) {
	service.control.fail({
		method: 'POST',
		path: streamPath,
		status: 200,
		headers: { 'content-type': 'text/event-stream' },
		body: eventsOf(events),
	});
}

/** The header of a file that we made: exactly the 44 bytes of the simplest kind. */
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

describe('texts', () => {
	const many = `<break time="6s"/>`;
	const wrong: Array<[string, RegExp]> = [
		['x'.repeat(5001), /^"Text" must have at most 5,000 characters, but has 5,001 \[item 0\]$/],
		['={{ "" }}', /^"Text" is required \[item 0\]$/],
		[
			`a ${many} b`,
			/^"Text" must have no pause of more than 5 seconds, but has <break time="6s"\/>/,
		],
		['a <break time="5.01s" /> b', /"Text" must have no pause of more than 5 seconds/],
		[
			"a <BREAK strength='x' time = '5001ms'> b",
			/"Text" must have no pause of more than 5 seconds/,
		],
		['a <break time="1s"/> b <break time=7> c', /more than 5 seconds, but has <break time=7>/],
	];

	test.each(['speak', 'synthesize', 'synthesizeStreamed'])(
		'%s refuses texts out of bounds before anything is sent',
		async (operation) => {
			const right = { speak, synthesize, synthesizeStreamed: streamed }[operation] ?? speak;
			for (const [text, message] of wrong) {
				const { error } = await runNode(service, NODE, right({ text }));
				expect(error?.message).toMatch(message);
				expect(error?.description).toContain('Nothing was sent');
			}
			expect(service.control.requests()).toHaveLength(0);
			// At the limits all is well, and what is no break tag is left to the service.
			service.control.fail({ status: 400, code: 'tts_text_invalid' });
			for (const text of [
				'x'.repeat(5000),
				'<break time="5s"/> <break time="5000ms"/> <break time=".5s"/> <break/> 6 < 7 > 5',
			]) {
				const { error } = await runNode(service, NODE, right({ text }));
				expect(error?.description).toContain('Code: tts_text_invalid');
			}
			expect(service.control.requests()).toHaveLength(2);
		},
	);
});

describe('voices', () => {
	test('the list of professional voices shows their status', async () => {
		await aVoice('First');
		service.control.failNext('model_voice', { code: 'x', message: 'x' });
		await aVoice('Second');
		service.control.clock.advance(1);
		service.control.holdJobs(true);
		await aVoice('Third');
		const { results } = await search(service, NODE, 'searchModelVoices');
		expect(results.map(({ name }) => name).sort()).toEqual([
			'First (ACTIVE)',
			'Second (FAILED)',
			'Third (PENDING)',
		]);
	});

	test.each([
		['voice_not_ready', 409, 'still being trained', 'ACTIVE'],
		['voice_training_failed', 409, 'training of this voice failed', 'other recordings'],
		['voice_not_usable', 403, 'may not be used', 'another voice'],
	])('%s is said in words, and not repeated', async (code, status, what, then) => {
		service.control.fail({ method: 'POST', status, code });
		for (const parameters of [synthesize(), streamed()]) {
			const { error } = await runNode(service, NODE, parameters);
			expect(error?.message).toContain(what);
			expect(error?.description).toContain(then);
		}
		expect(service.control.requests()).toHaveLength(2);
	});
});

describe('a lost answer', () => {
	test('is not repeated, and the error says what may have been paid', async () => {
		service.control.fail({ method: 'POST', cut: 'after' });
		for (const parameters of [speak(), synthesize(), streamed()]) {
			const { error } = await runNode(service, NODE, parameters);
			expect(error?.description).toContain('may have been made and charged');
		}
		expect(service.control.requests()).toHaveLength(3);
	});

	test('a file that cannot be downloaded is an error that names its address', async () => {
		service.control.fail({ path: /^\/media\//, status: 404 });
		const { items } = await runNode(
			service,
			NODE,
			speak({ downloadAudio: true, binaryPropertyName: 'data' }),
			goesOn,
		);
		const { error, details } = items[0]?.json as { error: string; details: IDataObject };
		expect(error).toContain('The speech was made, but its file could not be downloaded');
		expect(details).toMatchObject({ status: 404, duration: expect.any(Number) });
		expect(String(details.audio_url)).toContain(service.baseUrl);
		expect(details.description).toContain(String(details.audio_url));
		expect(service.control.requests({ method: 'POST' })).toHaveLength(1);
	}, 60_000);
});

describe('audio in parts', () => {
	const whole = [samples(1, 100), samples(2, 50), samples(3, 75), samples(4, 1)];
	const parts = whole.map((one, index) => audio(index, wav(one)));

	test('sixty parts become one file with every sample in it', async () => {
		const words = Array.from({ length: 480 }, (_, i) => `word${i}`).join(' ');
		const { items, error } = await runNode(
			service,
			NODE,
			streamed({
				voice_id: byId(await aVoice()),
				text: words,
				with_timestamps: true,
				options: { fileName: 'story.wav' },
			}),
		);
		expect(error).toBeUndefined();
		const [item] = items;
		const part = recording.subarray(recording.indexOf('data') + 8);
		const file = await contentOf(item);
		expect(header(file)).toEqual({
			kind: 1,
			channels: 1,
			rate: 44_100,
			bytesPerSecond: 88_200,
			frame: 2,
			bits: 16,
		});
		expect(file.length).toBe(44 + 60 * 52_920 * 2);
		expect(file.subarray(44).equals(Buffer.concat(Array(60).fill(part)))).toBe(true);
		expect(item?.json).toMatchObject({ parts: 60, duration: (60 * 52_920) / 44_100 });
		expect(item?.json.word_alignments).toHaveLength(480);
		expect(item?.binary?.data).toMatchObject({ fileName: 'story.wav', mimeType: 'audio/wav' });
		const [request] = service.control.requests({ path: streamPath });
		expect(request?.headers.accept).toContain('text/event-stream');
	});

	test('parts are put in their order, whenever they come; unknown events are left out', async () => {
		const [a, b, c, d] = parts;
		answers(c, { type: 'progress', percent: 5 }, a, d, 7, a, b, '[DONE]');
		const { items, error } = await runNode(service, NODE, streamed());
		expect(error).toBeUndefined();
		const file = await contentOf(items[0]);
		header(file);
		expect(file.subarray(44).equals(Buffer.concat(whole))).toBe(true);
		expect(items[0]?.json).toEqual({ parts: 4, duration: 226 / 44_100 });
	});

	test.each([
		[{ channels: 2, rate: 24_000, bits: 16 }, 100 / 24_000],
		[{ channels: 1, rate: 48_000, bits: 24 }, 400 / 3 / 48_000],
	])('other sound than usual (%j) is joined too', async (format, duration) => {
		answers(
			audio(0, wav(samples(1, 100), format)),
			audio(1, wav(samples(2, 100), format)),
			'[DONE]',
		);
		const { items } = await runNode(service, NODE, streamed());
		expect(header(await contentOf(items[0]))).toMatchObject(format);
		expect(items[0]?.json.duration).toBeCloseTo(duration, 12);
	});

	test.each([0, 0xffffffff, 0x7fffffff])(
		'a part that claims %i bytes, because it was written before its end, is read to its end',
		async (claimed) => {
			answers(audio(0, wav(samples(1, 100), { claimed })), '[DONE]');
			const { items } = await runNode(service, NODE, streamed());
			expect((await contentOf(items[0])).length).toBe(44 + 200);
		},
	);

	const [a, b, c] = parts;
	const broken: Array<[string, unknown[], number, RegExp]> = [
		[
			'without its end mark',
			[a, b],
			2,
			/2 parts of audio came, then the stream ended without its end mark/,
		],
		[
			'with an error of the service',
			[a, { type: 'error', detail: 'The voice is gone' }, b],
			1,
			/1 part of audio came, then the service reported: The voice is gone/,
		],
		[
			'with a part missing',
			[a, c, '[DONE]'],
			2,
			/2 parts of audio came, then the stream ended without part 2/,
		],
		[
			'with a part in another format',
			[a, b, audio(2, wav(whole[2] as Buffer, { rate: 24_000 }))],
			2,
			/part 3 had another sound format/,
		],
		[
			'with a part that is compressed',
			[a, audio(1, wav(whole[1] as Buffer, { kind: 85 }))],
			1,
			/part 2 was no sound that can be joined/,
		],
		[
			'with a part that is cut short',
			[a, audio(1, wav(whole[1] as Buffer, { claimed: 1000 }))],
			1,
			/part 2 was no sound that can be joined/,
		],
		[
			'with a part that is no sound',
			[a, audio(1, Buffer.from('hello'))],
			1,
			/part 2 was no sound that can be joined/,
		],
		[
			'with something that cannot be read',
			[a, '{"type":', b],
			1,
			/1 part of audio came, then something came that cannot be read/,
		],
	];

	test.each(broken)(
		'a stream %s is an error that keeps what came',
		async (_, events, count, said) => {
			answers(...events);
			const stopped = await runNode(service, NODE, streamed());
			expect(stopped.error?.message).toMatch(/^The speech is not complete: /);
			expect(stopped.error?.message).toMatch(said);
			expect(stopped.error?.message).toMatch(/\[item 0\]$/);
			expect(stopped.error?.description).toContain('On Error');
			// It is paid for, so it is never repeated by itself.
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
			const file = await contentOf(items[0]);
			header(file);
			const came = events
				.filter((event) => event === a || event === b || event === c)
				.slice(0, count)
				.map((event) => whole[parts.indexOf(event as (typeof parts)[0])] as Buffer);
			expect(file.subarray(44).equals(Buffer.concat(came))).toBe(true);
		},
	);

	test('the error output takes the item with the audio that came', async () => {
		answers(a, { type: 'alignment', word_alignments: [{ text: 'Hello' }] });
		const { items, errors } = await runNode(service, NODE, streamed(), {
			items: [{ json: { order: 7 } }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(items).toHaveLength(0);
		expect(errors).toHaveLength(1);
		expect(errors[0]?.json).toMatchObject({
			order: 7,
			error: expect.stringContaining('1 part of audio came'),
			details: { parts: 1, word_alignments: [{ text: 'Hello' }] },
		});
		expect((await contentOf(errors[0])).length).toBe(44 + 200);
	});

	test.each([
		['an end mark alone', ['[DONE]'], /0 parts of audio came, then the stream ended \[item 0\]$/],
		['nothing', [], /0 parts of audio came, then the stream ended without its end mark/],
		['an error', [{ type: 'error', detail: { why: 'x' } }], /the service reported: \{"why":"x"\}/],
	])('%s is an error without a file', async (_, events, said) => {
		answers(...events);
		const { items } = await runNode(service, NODE, streamed(), goesOn);
		expect(items[0]?.json.error).toMatch(said);
		expect(items[0]?.binary).toBeUndefined();
		const { error } = await runNode(service, NODE, streamed());
		expect(error?.message).toMatch(said);
	});

	test('a connection that breaks in the middle is an error that keeps what came', async () => {
		const voice_id = byId(await aVoice());
		service.control.fail({ path: streamPath, cut: 'midway' });
		const text = Array.from({ length: 48 }, (_, i) => `word${i}`).join(' ');
		const { items } = await runNode(service, NODE, streamed({ voice_id, text }), goesOn);
		// Half of six parts came; the one that was cut does not count.
		const details = items[0]?.json.details as IDataObject;
		expect(items[0]?.json.error).toMatch(/came, then (the connection broke|the stream ended)/);
		expect(details.parts).toBeGreaterThan(0);
		expect(details.parts).toBeLessThan(6);
		const file = await contentOf(items[0]);
		header(file);
		expect(file.length).toBe(44 + Number(details.parts) * 52_920 * 2);
	});

	const opened = (events: readonly unknown[]) => {
		const stream = new Readable({ read: () => undefined });
		stream.push(eventsOf(events, '\n'));
		return stream;
	};

	test('a stream that falls silent is given up, with what came', async () => {
		const stream = opened([a]);
		const speech = await collect(stream, new AbortController().signal, 50);
		expect(speech.trouble).toBe('nothing came for 0.05 seconds');
		expect(joined(speech)?.file.length).toBe(44 + 200);
		expect(stream.destroyed).toBe(true);
	});

	test('a stream on which something comes now and then is not given up', async () => {
		const stream = opened([a]);
		const more = setInterval(() => stream.push(': keep alive\n'), 20);
		setTimeout(() => stream.push(eventsOf([b, '[DONE]'], '\n')), 300);
		const speech = await collect(stream, new AbortController().signal, 150);
		clearInterval(more);
		expect(speech.trouble).toBeUndefined();
		expect(speech.parts.size).toBe(2);
	});

	test('when the execution is stopped, the stream is closed at once', async () => {
		const stream = opened([a]);
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 50);
		const begun = Date.now();
		const speech = await collect(stream, stop.signal);
		expect(Date.now() - begun).toBeLessThan(1000);
		expect(stream.destroyed).toBe(true);
		expect(speech.trouble).toBeDefined();
	});
});

test('a header that says extensible tells the kind of sound further on', () => {
	const extended = Buffer.alloc(68);
	extended.write('RIFF', 0, 'latin1');
	extended.write('WAVEfmt ', 8, 'latin1');
	extended.writeUInt32LE(40, 16);
	extended.writeUInt16LE(0xfffe, 20);
	extended.writeUInt16LE(1, 22);
	extended.writeUInt32LE(44_100, 24);
	extended.writeUInt16LE(16, 34);
	extended.writeUInt16LE(1, 44);
	extended.write('data', 60, 'latin1');
	const file = Buffer.concat([extended, samples(5, 3)]);
	file.writeUInt32LE(6, 64);
	expect(readWav(file)).toEqual({ channels: 1, rate: 44_100, bits: 16, samples: samples(5, 3) });
	file.writeUInt16LE(85, 44);
	expect(readWav(file)).toBeUndefined();
});

test('35 speeches, streamed and not, are held to 30 a minute, and none is refused', async () => {
	const voice_id = byId(await aVoice());
	const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
	const begun = Date.now();
	const [one, two] = await Promise.all([
		runNode(service, NODE, synthesize({ voice_id }), { items: items(20) }),
		runNode(service, NODE, streamed({ voice_id }), { items: items(15) }),
	]);
	expect(one.error).toBeUndefined();
	expect(two.error).toBeUndefined();
	expect([one.items.length, two.items.length]).toEqual([20, 15]);
	const requests = service.control.requests({ method: 'POST', path: /tts/ });
	expect(requests).toHaveLength(35);
	expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
	expect(Date.now() - begun).toBeGreaterThan(59_000);
}, 100_000);

test('a rate that is used up elsewhere is waited for', async () => {
	const voice_id = byId(await aVoice());
	service.control.fail({
		path: /tts/,
		status: 429,
		code: 'rate_limit_exceeded',
		retryAfter: 1,
		times: 2,
	});
	for (const parameters of [synthesize({ voice_id }), streamed({ voice_id })]) {
		const { error } = await runNode(service, NODE, parameters);
		expect(error).toBeUndefined();
	}
	expect(service.control.requests({ path: /tts/ })).toHaveLength(4);
});
