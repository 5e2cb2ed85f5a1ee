/**
 * Limits on everything that the nodes receive, and the functions that enforce them. Without limits,
 * a broken or hostile service could fill n8n's memory, block n8n or keep an execution running
 * forever. Each limit is far above what the service normally sends (service.md, Limits on what is
 * received).
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { clock } from '../clock';
import { formatDuration } from '../time';

export type ByteStream = Awaited<ReturnType<IExecuteFunctions['helpers']['getBinaryStream']>>;

const mebibyte = 1024 * 1024;

export const receivedDataLimits = {
	/** Limits of one JSON document: a response, or one stream event. Parsing more would block n8n. */
	json: { depth: 100, values: 100_000 },
	/** Limits of a successful response. `ServiceRequest.timeout` may set a longer time limit. */
	response: { bytes: 16 * mebibyte, readSeconds: 30, writeSeconds: 120 },
	/** Time limit of a credential test. Short, because a user is waiting. */
	credentialTest: { seconds: 15 },
	/** Limits of an error response. The rest is ignored: a proxy's error page may be endless. */
	rejection: { bytes: 64 * 1024, seconds: 30 },
	list: {
		bytes: 256 * mebibyte,
		values: 2_000_000,
		rows: 100_000,
		pages: 2_000,
		emptyPages: 20,
		seconds: 3_600,
	},
	/** Limit of one event of a stream. Five minutes of speech in one event take about 40 MB. */
	event: { bytes: 64 * mebibyte },
	/** Limits of all events of a stream together. The longest speech takes less than 300 MB. */
	events: { bytes: 512 * mebibyte, values: 100_000, silence: 300, seconds: 3_600 },
	/** Limits of the words spoken in a live stream. High, because a stream may run for a day. */
	liveWords: { bytes: 512 * mebibyte, values: 2_000_000 },
	file: { bytes: 16 * 1024 * mebibyte, silence: 60, seconds: 6 * 3_600 },
} as const;

const formatAmountIn = (unit: string) => (count: number) =>
	`${count.toLocaleString('en-US')} ${unit}`;

const units = {
	bytes: (bytes: number) =>
		bytes < mebibyte ? `${bytes / 1024} KB` : `${(bytes / mebibyte).toLocaleString('en-US')} MB`,
	depth: formatAmountIn('levels of nesting'),
	values: formatAmountIn('values'),
	rows: formatAmountIn('entries'),
	pages: formatAmountIn('pages'),
	emptyPages: formatAmountIn('empty pages in a row'),
	seconds: formatDuration,
};

/** Amounts of received data, or limits on them. */
export type ReceivedAmounts = Partial<Record<keyof typeof units, number>>;

/** Returns the first limit that was exceeded, as text such as "more than 16 MB". */
export function findExceededLimit(
	received: ReceivedAmounts,
	limits: ReceivedAmounts,
): string | undefined {
	for (const [unit, format] of Object.entries(units)) {
		const limit = limits[unit as keyof ReceivedAmounts] ?? Infinity;
		if ((received[unit as keyof ReceivedAmounts] ?? 0) > limit) return `more than ${format(limit)}`;
	}
	return undefined;
}

/** Returns the position of the closing quotation mark of the JSON string that begins at `start`. */
function findStringEnd(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
		let before = end;
		while (json[before - 1] === '\\') before--;
		const isEscaped = (end - before) % 2 === 1;
		if (!isEscaped) return end;
	}
	return json.length;
}

/**
 * Counts the nesting levels and values of JSON text, until a limit is exceeded. Does not parse the
 * text: parsing millions of nested lists would block n8n for many seconds.
 */
function measureJson(json: string): { depth: number; values: number } {
	const limits = receivedDataLimits.json;
	let level = 0;
	let depth = 0;
	let values = 1;
	for (let at = 0; at < json.length && depth <= limits.depth && values <= limits.values; at++) {
		switch (json[at]) {
			case '"':
				at = findStringEnd(json, at);
				break;
			case '[':
			case '{':
				depth = Math.max(depth, ++level);
				values++;
				break;
			case ']':
			case '}':
				level--;
				break;
			case ',':
				values++;
		}
	}
	return { depth, values };
}

export type ParsedJson<T> = { content: T; values: number } | { excess: string };

/** Parses received JSON. If the text is not JSON, the content is `fallback`. */
export function parseReceivedJson<T>(text: string, fallback: T): ParsedJson<T> {
	// Text without a bracket at the start, such as a web page, has no nesting.
	if (!/^\s*[[{]/.test(text)) {
		return { content: jsonParse<T>(text, { fallbackValue: fallback }), values: 1 };
	}
	const { depth, values } = measureJson(text);
	const excess = findExceededLimit({ depth, values }, receivedDataLimits.json);
	if (excess !== undefined) return { excess };
	return { content: jsonParse<T>(text, { fallbackValue: fallback }), values };
}

/** Codes of errors that end a stream early. After `NO_DATA`, a new connection may help. */
const receiveErrorCodes = ['TOO_LARGE', 'TOO_SLOW', 'NO_DATA'] as const;
export type ReceiveErrorCode = (typeof receiveErrorCodes)[number];

/** Creates a receive error. Its message completes a sentence, such as "it had more than 16 MB". */
export const createReceiveError = (code: ReceiveErrorCode, message: string) =>
	Object.assign(new Error(message), { code });

export function getReceiveErrorCode(error: unknown): ReceiveErrorCode | undefined {
	const code = (error as { code?: unknown } | undefined)?.code;
	return receiveErrorCodes.find((known) => known === code);
}

export interface StreamLimits {
	bytes: number;
	/** Maximum seconds for the whole stream. */
	seconds: number;
	/** Maximum seconds between two chunks of the stream. */
	silence?: number;
}

/**
 * Makes a response stream's `destroy` close the connection at once. n8n 2's stream would first wait
 * for the next chunk: a silent connection would stay open, and a pending read would not end.
 */
export function closeConnectionOnDestroy(stream: ByteStream, connection: AbortController): void {
	const destroy = stream.destroy.bind(stream);
	stream.destroy = (error) => {
		destroy(error);
		// After the last byte, the connection stays open for another request.
		if (!stream.readableEnded) connection.abort();
		return stream;
	};
}

/** Closes the stream when the signal aborts. Returns a function that removes the listener. */
export function closeOnAbort(stream: ByteStream, signal?: AbortSignal): () => void {
	const close = () => void stream.destroy(new Error('the execution was stopped'));
	if (signal?.aborted) close();
	signal?.addEventListener('abort', close);
	return () => signal?.removeEventListener('abort', close);
}

/** Longest interval, in milliseconds, between two checks of whether a stream takes too long. */
const maxCheckInterval = 10_000;

/**
 * Yields a stream's chunks, and closes the stream at the end. Throws an error from
 * `createReceiveError` if a limit is exceeded. The chunk that exceeds `bytes` is still yielded.
 * The time that the caller takes to handle a chunk does not count as silence.
 */
export async function* receiveChunks(
	stream: ByteStream,
	{ bytes, seconds, silence = Infinity }: StreamLimits,
): AsyncGenerator<Buffer> {
	const ended = new AbortController();
	// The caller may close the stream before its end.
	stream.once('close', () => ended.abort());
	const end = clock.elapsed() + seconds * 1000;
	let silenceEnd = clock.elapsed() + silence * 1000;
	const closeWhenLate = async () => {
		for (;;) {
			const left = Math.min(end, silenceEnd) - clock.elapsed();
			if (left <= 0) break;
			await clock.sleep(Math.min(left, maxCheckInterval), ended.signal);
		}
		stream.destroy(
			end <= silenceEnd
				? createReceiveError('TOO_SLOW', `it took more than ${formatDuration(seconds)}`)
				: createReceiveError('NO_DATA', `no data arrived for ${silence} seconds`),
		);
	};
	// This promise rejects when the stream has ended, which is not a failure.
	void closeWhenLate().catch(() => undefined);
	let received = 0;
	try {
		for await (const chunk of stream) {
			const content = Buffer.from(chunk);
			silenceEnd = Infinity;
			yield content;
			received += content.length;
			const excess = findExceededLimit({ bytes: received }, { bytes });
			if (excess !== undefined) throw createReceiveError('TOO_LARGE', `it had ${excess}`);
			silenceEnd = clock.elapsed() + silence * 1000;
		}
	} finally {
		ended.abort();
	}
}
