/**
 * Parses server-sent events from a stream as they arrive (HTML standard, "Interpreting an event
 * stream"). Lines may end with CR, LF or both. A chunk of the stream may end anywhere, even in the
 * middle of a character.
 */

/** Event from a stream of server-sent events. */
export interface ServerSentEvent {
	/** Type of the event. The default is `message`. */
	event: string;
	/** Content of the event: the values of its `data` lines, joined with line feeds. */
	data: string;
	/**
	 * Whether the event is complete. If not, the stream ended before the empty line that terminates
	 * an event, and the event's content may be incomplete.
	 */
	ended: boolean;
}

/**
 * Maximum length of one event, in characters. For comparison, five minutes of Base64-encoded speech
 * in a single event takes about 40 million characters.
 */
export const maxEventLength = 64 * 1024 * 1024;

/**
 * Throws if an event exceeds the maximum length, so that an event that never ends cannot exhaust
 * the memory.
 */
function checkEventLength(length: number): void {
	if (length > maxEventLength) throw new Error('an event is larger than 64 MB');
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
 * Yields each server-sent event as soon as it is complete. Ignores comments and unknown fields.
 *
 * @throws an error if an event is too large
 */
export async function* readServerSentEvents(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
	let event = '';
	let data: string[] = [];
	let length = 0;
	const toEvent = (ended: boolean) => ({ event: event || 'message', data: data.join('\n'), ended });
	for await (const line of readLines(chunks)) {
		if (line === '') {
			if (data.length > 0) yield toEvent(true);
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
	}
	if (data.length > 0) yield toEvent(false);
}
