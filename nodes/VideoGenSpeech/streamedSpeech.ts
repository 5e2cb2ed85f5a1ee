/**
 * Speech that comes in parts, while it is made (docs/service.md, Resources: streamed speech).
 *
 * What has come is paid for, so nothing of it is thrown away: whatever goes wrong is written down
 * beside the parts.
 */
import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { clock } from '../core/clock';
import { readServerSentEvents } from '../core/files/serverSentEvents';
import type { FileStream } from '../core/http/reply';
import { readObjects } from '../core/json';
import { readWav, calculateWavDuration, writeWav, type WavFormat } from './wavFiles';

/** The last data of a stream that is complete. */
const endOfSpeech = '[DONE]';

/** Speech as far as it has come. */
export interface StreamedSpeech {
	/** Samples by the number of the part. */
	parts: Map<number, Buffer>;
	/** That of the first part; all others must have the same. */
	format?: WavFormat;
	/** Words with their times, where they were asked for. */
	words: IDataObject[];
	/** Why it is not complete: the end of a sentence. */
	trouble?: string;
}

const isSameWavFormat = (a: WavFormat, b: WavFormat) =>
	a.channels === b.channels && a.rate === b.rate && a.bits === b.bits;

/** Adds one event to the speech; returns what is wrong with it. */
function addSpeechEvent(speech: StreamedSpeech, event: IDataObject): string | undefined {
	switch (event.type) {
		case 'audio': {
			const index = typeof event.part_index === 'number' ? event.part_index : speech.parts.size;
			const sound = readWav(Buffer.from(String(event.audio ?? ''), 'base64'));
			if (!sound) return `part ${index + 1} was no sound that can be joined to the others`;
			const { samples, ...format } = sound;
			speech.format ??= format;
			if (!isSameWavFormat(speech.format, format)) {
				return `part ${index + 1} had another sound format than the parts before`;
			}
			speech.parts.set(index, samples);
			return undefined;
		}
		case 'alignment':
			speech.words.push(...readObjects(event.word_alignments));
			return undefined;
		case 'error': {
			const { detail } = event;
			return `the service reported: ${typeof detail === 'string' ? detail : JSON.stringify(detail ?? 'an error')}`;
		}
		default:
			// The service may add kinds.
			return undefined;
	}
}

/** Numbers of parts that did not come although later ones did. */
function findMissingParts(parts: ReadonlyMap<number, Buffer>): number[] {
	const last = Math.max(-1, ...parts.keys());
	return Array.from({ length: last + 1 }, (_, index) => index).filter((index) => !parts.has(index));
}

/**
 * Reads a stream of speech to its end, or as far as it goes. Never throws.
 *
 * @param longestPause how long nothing may come, in milliseconds
 */
export async function collectStreamedSpeech(
	stream: FileStream,
	signal: AbortSignal,
	longestPause = 300_000,
): Promise<StreamedSpeech> {
	const speech: StreamedSpeech = { parts: new Map(), words: [] };
	const over = new AbortController();
	const stops = AbortSignal.any([signal, over.signal]);
	let last = clock.now();
	let silent = false;

	async function* chunks() {
		for await (const chunk of stream) {
			last = clock.now();
			yield chunk as Buffer;
		}
	}
	const watch = async () => {
		while (!stops.aborted && !silent) {
			await clock.sleep(last + longestPause - clock.now(), stops).catch(() => undefined);
			silent = clock.now() - last >= longestPause;
		}
		if (!over.signal.aborted) stream.destroy();
	};
	const watching = watch();

	try {
		speech.trouble = 'the stream ended without its end mark';
		for await (const { data, ended } of readServerSentEvents(chunks())) {
			if (data.trim() === endOfSpeech) {
				const missing = findMissingParts(speech.parts).map((index) => index + 1);
				speech.trouble =
					missing.length > 0 ? `the stream ended without part ${missing.join(', ')}` : undefined;
				break;
			}
			const event = jsonParse<IDataObject | null>(data, { fallbackValue: null });
			// What is cut off in the middle says nothing more than that the stream broke off.
			if (event === null && !ended) break;
			const wrong = event === null ? 'something came that cannot be read' : addSpeechEvent(speech, event);
			if (wrong !== undefined) {
				speech.trouble = wrong;
				break;
			}
		}
	} catch (error) {
		speech.trouble = `the connection broke: ${(error as Error).message}`;
	} finally {
		if (silent) speech.trouble = `nothing came for ${longestPause / 1000} seconds`;
		over.abort();
		await watching;
	}
	return speech;
}

/** The parts in their order as one WAV file, and its length in seconds. */
export function joinSpeechParts({
	parts,
	format,
}: StreamedSpeech): { file: Buffer; duration: number } | undefined {
	if (!format) return undefined;
	const samples = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
	const bytes = samples.reduce((sum, { length }) => sum + length, 0);
	return { file: writeWav(format, samples), duration: calculateWavDuration(format, bytes) };
}
