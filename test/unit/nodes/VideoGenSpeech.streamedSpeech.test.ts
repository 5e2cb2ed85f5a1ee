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

/** A stream that stays open after these events. */
const openStream = (events: readonly unknown[]) => {
	const stream = new Readable({ read: () => undefined });
	stream.push(joinEvents(events, '\n'));
	return stream;
};

/** Replaces the clock of the nodes: time passes only in pauses, each of which begins with a step. */
function useSteps(...steps: Array<() => void>) {
	let time = 0;
	jest.spyOn(clock, 'now').mockImplementation(() => time);
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
	const speech = await collectStreamedSpeech(stream, new AbortController().signal, 5000);
	expect(speech.failure).toBe('no data arrived for 5 seconds');
	expect(joinSpeechParts(speech)?.file.length).toBe(44 + 200);
	expect(stream.destroyed).toBe(true);
});

test('keeps a stream open while data arrives now and then', async () => {
	const stream = openStream([a]);
	const keepAlive = () => stream.push(': keep alive\n');
	useSteps(keepAlive, keepAlive, keepAlive, () => stream.push(joinEvents([b, '[DONE]'], '\n')));
	const speech = await collectStreamedSpeech(stream, new AbortController().signal, 5000);
	expect(speech.failure).toBeUndefined();
	expect(speech.parts.size).toBe(2);
});

test('closes the stream when the execution is stopped', async () => {
	const stop = new AbortController();
	useSteps(() => stop.abort());
	const stream = openStream([a]);
	const speech = await collectStreamedSpeech(stream, stop.signal);
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
