/**
 * Parses server-sent events from a stream as they arrive (HTML standard, "Interpreting an event
 * stream"). Lines may end with CR, LF or both. A chunk of the stream may end anywhere, even in the
 * middle of a character.
 */

import type { IDataObject } from 'n8n-workflow';
import { clock } from '../core/clock';
import {
	createReceiveError,
	findExceededLimit,
	parseReceivedJson,
	receiveChunks,
	receivedDataLimits,
	type ByteStream,
	type StreamLimits,
} from '../core/http/receivedDataLimits';

export interface ServerSentEvent {
	/** Type of the event. Defaults to `message`. */
	event: string;
	/** Values of the `data` lines, joined with line feeds. */
	data: string;
	/**
	 * Whether the event is complete. If not, the stream ended before the empty line that ends an
	 * event.
	 */
	ended: boolean;
}

/** Throws an error if an event is too long. Without a limit, one event could fill the memory. */
function checkEventLength(length: number): void {
	const excess = findExceededLimit({ bytes: length }, receivedDataLimits.event);
	if (excess !== undefined) throw createReceiveError('TOO_LARGE', `an event had ${excess}`);
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
	// Removes a byte order mark, and holds back an incomplete character until the next chunk.
	const decoder = new TextDecoder();
	// An array, because a line of audio may arrive in thousands of chunks.
	let line: string[] = [];
	let length = 0;
	let afterReturn = false;
	for await (const chunk of chunks) {
		let text = decoder.decode(chunk, { stream: true });
		if (text === '') continue;
		if (afterReturn && text.startsWith('\n')) text = text.slice(1);
		afterReturn = text.endsWith('\r');
		let from = 0;
		for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
			line.push(text.slice(from, index));
			yield line.join('');
			line = [];
			length = 0;
			from = index + end.length;
		}
		line.push(text.slice(from));
		length += text.length - from;
		checkEventLength(length);
	}
	line.push(decoder.decode());
	const rest = line.join('');
	if (rest !== '') yield rest;
}

/**
 * Limits on a stream of server-sent events. Each event must arrive within `silence` seconds of the
 * previous one.
 */
export type EventStreamLimits = Required<StreamLimits>;

/**
 * Yields the server-sent events of a stream. Ignores comments, which only keep the connection open,
 * and unknown fields. Closes the stream at the end.
 * @throws if the stream or a single event exceeds a limit
 */
export async function* readServerSentEvents(
	stream: ByteStream,
	limits: EventStreamLimits = receivedDataLimits.events,
): AsyncGenerator<ServerSentEvent> {
	let event = '';
	let data: string[] = [];
	let length = 0;
	let lastEvent = clock.elapsed();
	const toEvent = (ended: boolean) => ({ event: event || 'message', data: data.join('\n'), ended });
	for await (const line of readLines(receiveChunks(stream, limits))) {
		if (line === '') {
			if (data.length > 0) {
				yield toEvent(true);
				lastEvent = clock.elapsed();
			}
			event = '';
			data = [];
			length = 0;
			continue;
		}
		const [name = ''] = line.split(':', 1);
		const value = line.slice(name.length + 1).replace(/^ /, '');
		if (name === 'data') {
			data.push(value);
			length += value.length + 1;
			checkEventLength(length);
		}
		if (name === 'event') event = value;
		if (data.length === 0 && clock.elapsed() - lastEvent > limits.silence * 1000) {
			throw createReceiveError('NO_DATA', `no event arrived for ${limits.silence} seconds`);
		}
	}
	if (data.length > 0) yield toEvent(false);
}

export interface JsonEvent extends ServerSentEvent {
	/** JSON content of the event's data. Null if the data is not JSON. */
	json: IDataObject | null;
}

/**
 * Yields the server-sent events of a stream, with their data parsed as JSON.
 *
 * @param mask function that masks secrets that the service repeats in its response
 * @throws if the stream exceeds a limit
 */
export async function* readJsonEvents(
	stream: ByteStream,
	mask: (text: string) => string,
	limits: EventStreamLimits & { values: number } = receivedDataLimits.events,
): AsyncGenerator<JsonEvent> {
	let values = 0;
	for await (const event of readServerSentEvents(stream, limits)) {
		const parsed = parseReceivedJson<IDataObject | null>(mask(event.data), null);
		if ('excess' in parsed) throw createReceiveError('TOO_LARGE', `an event had ${parsed.excess}`);
		values += parsed.values;
		const excess = findExceededLimit({ values }, { values: limits.values });
		if (excess !== undefined) throw createReceiveError('TOO_LARGE', `it had ${excess}`);
		yield { ...event, json: parsed.content };
	}
}
