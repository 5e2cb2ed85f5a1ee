/**
 * Collects speech that the service sends in parts while it creates the audio
 * (docs/service.md, Resources: streamed speech). If the stream breaks, the parts received so far
 * are kept, because they have been paid for.
 */
import type { IDataObject } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { clock } from '../core/clock';
import { readServerSentEvents } from '../core/files/serverSentEvents';
import type { ByteStream } from '../core/http/reply';
import { readObjects, toText } from '../core/json';
import { calculateWavDuration, readWav, writeWav, type WavFormat } from './wavFiles';

/** Content of the event that the service sends when the speech is complete. */
const endOfSpeech = '[DONE]';

/**
 * Highest part number that the node accepts in a speech stream. Without a limit, searching for
 * missing parts could take far too long.
 */
const maxPartIndex = 99_999;

/** Speech received so far from a stream. It is incomplete if the stream failed. */
export interface StreamedSpeech {
	/** Audio samples of each part, by part number. */
	parts: Map<number, Buffer>;
	/** Audio format of the first part. All other parts must have the same format. */
	format?: WavFormat;
	/** Words with their timings in the audio, if the user requested them. */
	words: IDataObject[];
	/**
	 * Reason why the speech is incomplete, written as the end of an error message. Example: `the
	 * stream ended without part 3`. Undefined if the speech is complete.
	 */
	failure?: string;
}

const isSameWavFormat = (a: WavFormat, b: WavFormat) =>
	a.channels === b.channels && a.rate === b.rate && a.bits === b.bits;

/**
 * Adds the audio or words from a stream event to the speech. Returns an error message if the event
 * reports an error or is invalid.
 */
function addSpeechEvent(speech: StreamedSpeech, event: IDataObject): string | undefined {
	switch (event.type) {
		case 'audio': {
			const index = typeof event.part_index === 'number' ? event.part_index : speech.parts.size;
			if (!Number.isInteger(index) || index < 0 || index > maxPartIndex) {
				return `a part had the invalid number ${index}`;
			}
			const audio = readWav(Buffer.from(toText(event.audio ?? ''), 'base64'));
			if (!audio) return `part ${index + 1} was not WAV audio that can be joined to the rest`;
			const { samples, ...format } = audio;
			speech.format ??= format;
			if (!isSameWavFormat(speech.format, format)) {
				return `part ${index + 1} had a different audio format from the earlier parts`;
			}
			speech.parts.set(index, samples);
			return undefined;
		}
		case 'alignment':
			for (const word of readObjects(event.word_alignments)) speech.words.push(word);
			return undefined;
		case 'error': {
			const { detail } = event;
			return `the service reported: ${typeof detail === 'string' ? detail : JSON.stringify(detail ?? 'an error')}`;
		}
		default:
			// The service may add event types.
			return undefined;
	}
}

/** Returns the numbers of all missing parts below the highest part number received. */
function findMissingParts(parts: ReadonlyMap<number, Buffer>): number[] {
	const last = Math.max(-1, ...parts.keys());
	return Array.from({ length: last + 1 }, (_, index) => index).filter((index) => !parts.has(index));
}

/**
 * Collects speech from a stream until the stream ends, fails or stops sending data. Never throws:
 * if the speech is incomplete, `failure` in the result says why.
 *
 * @param maxSilence number of milliseconds without data after which the function closes the stream
 */
export async function collectStreamedSpeech(
	stream: ByteStream,
	signal?: AbortSignal,
	maxSilence = 300_000,
): Promise<StreamedSpeech> {
	const speech: StreamedSpeech = { parts: new Map(), words: [] };
	const finished = new AbortController();
	const finishedOrStopped = AbortSignal.any(signal ? [signal, finished.signal] : [finished.signal]);
	let lastData = clock.now();
	let isSilent = false;

	async function* readChunks() {
		for await (const chunk of stream) {
			lastData = clock.now();
			yield chunk as Buffer;
		}
	}
	const closeWhenSilentOrStopped = async () => {
		while (!finishedOrStopped.aborted && !isSilent) {
			const silenceLeft = lastData + maxSilence - clock.now();
			await clock.sleep(silenceLeft, finishedOrStopped).catch(() => undefined);
			isSilent = clock.now() - lastData >= maxSilence;
		}
		if (!finished.signal.aborted) stream.destroy();
	};
	const closing = closeWhenSilentOrStopped();

	try {
		speech.failure = 'the stream ended without an end marker';
		for await (const { data, ended } of readServerSentEvents(readChunks())) {
			if (data.trim() === endOfSpeech) {
				const missing = findMissingParts(speech.parts).map((index) => index + 1);
				speech.failure =
					missing.length > 0 ? `the stream ended without part ${missing.join(', ')}` : undefined;
				break;
			}
			const event = jsonParse<IDataObject | null>(data, { fallbackValue: null });
			// An event that is cut short only means that the stream ended early.
			if (event === null && !ended) break;
			const problem = event === null ? 'an event could not be read' : addSpeechEvent(speech, event);
			if (problem !== undefined) {
				speech.failure = problem;
				break;
			}
		}
	} catch (error) {
		speech.failure = `the stream was interrupted: ${(error as Error).message}`;
	} finally {
		if (isSilent) speech.failure = `no data arrived for ${maxSilence / 1000} seconds`;
		finished.abort();
		await closing;
	}
	return speech;
}

/**
 * Joins the received speech parts into one WAV file, in order of part number, and calculates the
 * duration in seconds. Returns undefined if no part was received.
 */
export function joinSpeechParts({
	parts,
	format,
}: StreamedSpeech): { file: Buffer; duration: number } | undefined {
	if (!format) return undefined;
	const samples = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
	const bytes = samples.reduce((sum, { length }) => sum + length, 0);
	return { file: writeWav(format, samples), duration: calculateWavDuration(format, bytes) };
}
