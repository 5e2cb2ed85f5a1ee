import { Readable } from 'node:stream';
import { clock } from '../../../nodes/core/clock';
import {
	collectStreamedSpeech,
	joinSpeechParts,
} from '../../../nodes/VideoGenSpeech/streamedSpeech';
import { readWav } from '../../../nodes/VideoGenSpeech/wavFiles';
import {
	createAudioEvent,
	joinEvents,
	createSamples,
	createWav,
} from '../../integration/support/wav';

const [a, b] = [
	createAudioEvent(0, createWav(createSamples(1, 100))),
	createAudioEvent(1, createWav(createSamples(2, 50))),
];

const mask = (text: string) => text.replace('the-key', '***');

/** A stream that stays open after these events. */
const openStream = (events: readonly unknown[]) => {
	const stream = new Readable({ read: () => undefined });
	stream.push(joinEvents(events, '\n'));
	return stream;
};

/** Replaces the clock of the nodes: time passes only in pauses, each of which begins with a step. */
function useSteps(...steps: Array<() => void>) {
	let time = 0;
	jest.spyOn(clock, 'elapsed').mockImplementation(() => time);
	jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds, signal) => {
		const end = time + milliseconds;
		// Data arrives one millisecond before the pause would end.
		time = end - 1;
		steps.shift()?.();
		await new Promise(setImmediate);
		await new Promise(setImmediate);
		signal?.throwIfAborted();
		time = end;
	});
}

afterEach(() => jest.restoreAllMocks());

test('closes a silent stream and keeps the received parts', async () => {
	useSteps();
	const stream = openStream([a]);
	const speech = await collectStreamedSpeech(stream, mask);
	expect(speech.failure).toBe('the stream was interrupted: no data arrived for 300 seconds');
	expect(Buffer.concat(joinSpeechParts(speech)?.file ?? [])).toHaveLength(44 + 200);
	expect(stream.destroyed).toBe(true);
});

/** Steps of 10 seconds: every 210 seconds, one of these texts arrives. */
const sendSlowly = (stream: Readable, ...texts: string[]) =>
	texts.flatMap((text) => [
		...Array.from({ length: 20 }, () => () => undefined),
		() => void stream.push(text),
	]);
const comment = ': keep alive\n';

test('keeps a stream open while speech arrives now and then', async () => {
	const stream = openStream([a]);
	const [next, end] = [joinEvents([b], '\n'), joinEvents(['[DONE]'], '\n')];
	useSteps(...sendSlowly(stream, comment, next, comment, end));
	const speech = await collectStreamedSpeech(stream, mask);
	expect(speech.failure).toBeUndefined();
	expect(speech.parts.size).toBe(2);
});

test('closes a stream that sends only comments', async () => {
	const stream = openStream([a]);
	useSteps(...sendSlowly(stream, comment, comment, comment));
	const speech = await collectStreamedSpeech(stream, mask);
	expect(speech.failure).toBe('the stream was interrupted: no event arrived for 300 seconds');
	expect(stream.destroyed).toBe(true);
});

test('ends after too many words, and masks a secret in an error', async () => {
	const words = { type: 'alignment', word_alignments: Array(50_000).fill({ word: 'a' }) };
	const tooMany = await collectStreamedSpeech(openStream([a, words, words]), mask);
	expect(tooMany.failure).toBe('the stream was interrupted: an event had more than 100,000 values');
	const many = { type: 'alignment', word_alignments: Array(30_000).fill({ word: 'a' }) };
	const inAll = await collectStreamedSpeech(openStream([a, many, many]), mask);
	expect(inAll.failure).toBe('the stream was interrupted: it had more than 100,000 values');
	expect(inAll.words).toHaveLength(30_000);
	const error = { type: 'error', detail: 'Wrong key the-key' };
	const failed = await collectStreamedSpeech(openStream([error]), mask);
	expect(failed.failure).toBe('the service reported: Wrong key ***');
});

test('closes the stream when the execution is stopped', async () => {
	const stop = new AbortController();
	useSteps(() => stop.abort());
	const stream = openStream([a]);
	const speech = await collectStreamedSpeech(stream, mask, stop.signal);
	expect(stream.destroyed).toBe(true);
	expect(speech.failure).toBeDefined();
});

test('reads the format of a WAV file with an extensible header', () => {
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
	const file = Buffer.concat([extended, createSamples(5, 3)]);
	file.writeUInt32LE(6, 64);
	expect(readWav(file)).toEqual({
		channels: 1,
		rate: 44_100,
		bits: 16,
		samples: createSamples(5, 3),
	});
	file.writeUInt16LE(85, 44);
	expect(readWav(file)).toBeUndefined();
});
