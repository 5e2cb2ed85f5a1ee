/**
 * Parses server-sent events from a stream as they arrive (HTML standard, "Interpreting an event
 * stream"). Lines may end with CR, LF or both. A chunk of the stream may end anywhere, even inside
 * a character.
 */

/** Event from a stream of server-sent events. */
export interface ServerSentEvent {
	/** Type of the event. Defaults to `message`. */
	event: string;
	/** Values of the `data` lines of the event, joined with line feeds. */
	data: string;
	/**
	 * Whether the event is complete. If not, the stream broke off before the empty line that ends an
	 * event, and `data` may be incomplete.
	 */
	ended: boolean;
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	// Removes a byte order mark, and keeps an incomplete character for the next chunk.
	const decoder = new TextDecoder();
	// An array, because a line of audio may arrive in thousands of chunks.
	let line: string[] = [];
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
			from = index + end.length;
		}
		line.push(text.slice(from));
	}
	line.push(decoder.decode());
	const rest = line.join('');
	if (rest !== '') yield rest;
}

/** Yields each server-sent event as soon as it is complete. Ignores comments and unknown fields. */
export async function* readServerSentEvents(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
	let event = '';
	let data: string[] = [];
	const toEvent = (ended: boolean) => ({ event: event || 'message', data: data.join('\n'), ended });
	for await (const line of readLines(chunks)) {
		if (line === '') {
			if (data.length > 0) yield toEvent(true);
			event = '';
			data = [];
			continue;
		}
		const [name = ''] = line.split(':', 1);
		const value = line.slice(name.length + 1).replace(/^ /, '');
		if (name === 'data') data.push(value);
		else if (name === 'event') event = value;
	}
	if (data.length > 0) yield toEvent(false);
}
