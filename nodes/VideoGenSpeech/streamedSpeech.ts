/**
 * Collects speech that the service sends in parts while it creates the audio
 * (service.md, Resources: streamed speech). If the stream breaks, the parts received so far
 * are kept, because they have been paid for.
 */
import type { IDataObject } from 'n8n-workflow';
import { readJsonEvents } from '../shared/serverSentEvents';
import { closeOnAbort, type ByteStream } from '../core/http/receivedDataLimits';
import { readObjects, toText } from '../core/json';
import { calculateWavDuration, readWav, writeWav, type WavFormat } from './wavFiles';

/** Data of the event that the service sends when the speech is complete. */
const endOfSpeech = '[DONE]';

/**
 * Highest part number that the node accepts in a speech stream. Without a limit, searching for
 * missing parts could take far too long.
 */
const maxPartIndex = 99_999;

/** Speech received so far from a stream. The speech is incomplete if the stream failed. */
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
 * Collects speech from a stream until the stream ends, fails or exceeds a limit. Never throws: if
 * the speech is incomplete, `failure` in the result says why.
 *
 * @param mask masks secrets that the service repeats in its response
 */
export async function collectStreamedSpeech(
	stream: ByteStream,
	mask: (text: string) => string,
	signal?: AbortSignal,
): Promise<StreamedSpeech> {
	const speech: StreamedSpeech = { parts: new Map(), words: [] };
	const ignoreAbort = closeOnAbort(stream, signal);
	try {
		speech.failure = 'the stream ended without an end marker';
		for await (const { data, json: event, ended } of readJsonEvents(stream, mask)) {
			if (data.trim() === endOfSpeech) {
				const missing = findMissingParts(speech.parts).map((index) => index + 1);
				speech.failure =
					missing.length > 0 ? `the stream ended without part ${missing.join(', ')}` : undefined;
				break;
			}
			// A truncated event only means that the stream ended early.
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
		ignoreAbort();
	}
	return speech;
}

/**
 * Joins the received speech parts into one WAV file, in order of part number, and calculates the
 * duration in seconds. Returns the file's content in several chunks, because copying hours of
 * speech would block n8n. Returns undefined if no part was received.
 */
export function joinSpeechParts({
	parts,
	format,
}: StreamedSpeech): { file: Buffer[]; duration: number } | undefined {
	if (!format) return undefined;
	const samples = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
	const bytes = samples.reduce((sum, { length }) => sum + length, 0);
	return { file: writeWav(format, samples), duration: calculateWavDuration(format, bytes) };
}
