/**
 * Server-Sent Events: from the bytes of a reply to its events, while they come in.
 *
 * Lines end in CR, LF or both; a chunk may end anywhere, also inside of a character (HTML
 * standard, "Interpreting an event stream").
 */

/** One event of a stream. */
export interface ServerSentEvent {
	/** `message`, where the stream names none. */
	event: string;
	/** The data lines, joined by line feeds. */
	data: string;
	/** False for a last event without the empty line that ends it: its data may be cut short. */
	ended: boolean;
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	// Takes a byte order mark away, and keeps the first half of a character for the next chunk.
	const decoder = new TextDecoder();
	// Kept in pieces, because a line of sound may come in thousands of chunks.
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

/** The events of a stream, each as soon as it has come. Comments and unknown fields are left out. */
export async function* readServerSentEvents(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
	let event = '';
	let data: string[] = [];
	const made = (ended: boolean) => ({ event: event || 'message', data: data.join('\n'), ended });
	for await (const line of readLines(chunks)) {
		if (line === '') {
			if (data.length > 0) yield made(true);
			event = '';
			data = [];
			continue;
		}
		const [name = ''] = line.split(':', 1);
		const value = line.slice(name.length + 1).replace(/^ /, '');
		if (name === 'data') data.push(value);
		else if (name === 'event') event = value;
	}
	if (data.length > 0) yield made(false);
}
