/** Speech that comes in parts: when it is given up, and how sound is read. */
import { Readable } from 'node:stream';
import { collectStreamedSpeech, joinSpeechParts } from '../../../nodes/VideoGenSpeech/streamedSpeech';
import { readWav } from '../../../nodes/VideoGenSpeech/wavFiles';
import { audio, eventsOf, samples, wav } from '../../integration/support/wav';

const [a, b] = [audio(0, wav(samples(1, 100))), audio(1, wav(samples(2, 50)))];

const opened = (events: readonly unknown[]) => {
	const stream = new Readable({ read: () => undefined });
	stream.push(eventsOf(events, '\n'));
	return stream;
};

test('a stream that falls silent is given up, with what came', async () => {
	const stream = opened([a]);
	const speech = await collectStreamedSpeech(stream, new AbortController().signal, 50);
	expect(speech.failure).toBe('nothing came for 0.05 seconds');
	expect(joinSpeechParts(speech)?.file.length).toBe(44 + 200);
	expect(stream.destroyed).toBe(true);
});

test('a stream on which something comes now and then is not given up', async () => {
	const stream = opened([a]);
	const more = setInterval(() => stream.push(': keep alive\n'), 20);
	setTimeout(() => stream.push(eventsOf([b, '[DONE]'], '\n')), 300);
	const speech = await collectStreamedSpeech(stream, new AbortController().signal, 150);
	clearInterval(more);
	expect(speech.failure).toBeUndefined();
	expect(speech.parts.size).toBe(2);
});

test('when the execution is stopped, the stream is closed at once', async () => {
	const stream = opened([a]);
	const stop = new AbortController();
	setTimeout(() => stop.abort(), 50);
	const begun = Date.now();
	const speech = await collectStreamedSpeech(stream, stop.signal);
	expect(Date.now() - begun).toBeLessThan(1000);
	expect(stream.destroyed).toBe(true);
	expect(speech.failure).toBeDefined();
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
