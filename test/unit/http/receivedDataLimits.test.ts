/** What is received is limited: bytes, time, and the nesting and the number of values of JSON. */
import { Readable } from 'node:stream';
import { clock } from '../../../nodes/core/clock';
import {
	closeConnectionOnDestroy,
	closeOnAbort,
	findExceededLimit,
	getReceiveErrorCode,
	parseReceivedJson,
	receiveChunks,
	receivedDataLimits,
	type StreamLimits,
} from '../../../nodes/core/http/receivedDataLimits';
import { passTime, useVirtualTime } from './virtualTime';

useVirtualTime();

test('the first limit that is exceeded is named, and none that is only reached', () => {
	const limits = { bytes: 1024 * 1024, pages: 2_000, seconds: 3_600 };
	expect(
		findExceededLimit({ bytes: 1024 * 1024, pages: 2_000, rows: 9e9 }, limits),
	).toBeUndefined();
	expect(findExceededLimit({ bytes: 1, pages: 2_001 }, limits)).toBe('more than 2,000 pages');
	expect(findExceededLimit({ bytes: 2e6, pages: 2_001 }, limits)).toBe('more than 1 MB');
	expect(findExceededLimit({ seconds: 3_601 }, limits)).toBe('more than 60 minutes');
});

const nest = (depth: number, open: string, close: string) =>
	open.repeat(depth) + close.repeat(depth);

test.each([
	['lists', 100, nest(100, '[', ']')],
	['lists', 101, nest(101, '[', ']')],
	['objects', 100, `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
	['objects', 101, ` ${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
])('JSON of nested %s may have 100 levels (%d)', (_, depth, text) => {
	const isParsed = 'content' in parseReceivedJson<unknown>(text, null);
	expect(isParsed).toBe(depth <= 100);
});

test('brackets, commas and escaped quotation marks in texts do not count', () => {
	const content = {
		a: '[{'.repeat(200),
		'b"[': `\\"${'['.repeat(200)}\\`,
		c: ','.repeat(200_000),
		d: '',
	};
	const text = JSON.stringify(content);
	expect(parseReceivedJson(text, null)).toEqual({ content, values: 5 });
});

test.each([
	['[]', 2],
	['[1,2,{"a":3}]', 5],
	['{"a":{"b":[]},"c":null}', 5],
	['7', 1],
])('the values of %s are counted, at most one too many for each empty list', (text, values) => {
	expect(parseReceivedJson<unknown>(text, null)).toEqual({ content: JSON.parse(text), values });
});

test('JSON may have 100,000 values, and other text is the fallback', () => {
	const count = receivedDataLimits.json.values;
	const excess = { excess: 'more than 100,000 values' };
	expect(parseReceivedJson(`[${'1,'.repeat(count - 2)}1]`, null)).toMatchObject({ values: count });
	expect(parseReceivedJson(`[${'1,'.repeat(count - 1)}1]`, null)).toEqual(excess);
	const members = Array.from({ length: count }, (_, i) => `"k${i}_at":1`).join(',');
	expect(parseReceivedJson(`{${members}}`, null)).toEqual(excess);
	for (const text of ['[1', '["a', '["a\\"', ',[['.repeat(count), '<html>[,,']) {
		expect(parseReceivedJson<unknown>(text, 'other')).toMatchObject({ content: 'other' });
	}
});

test('millions of brackets are measured, not parsed', () => {
	const before = process.memoryUsage().heapUsed;
	const begun = performance.now();
	expect(parseReceivedJson('['.repeat(7_000_000), null)).toHaveProperty('excess');
	expect(performance.now() - begun).toBeLessThan(1_000);
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
});

const mebibyte = 1024 * 1024;
const limits: StreamLimits = { bytes: mebibyte, seconds: 100, silence: 30 };

async function readToEnd(stream: Readable, more: Partial<StreamLimits> = {}, handleMs = 0) {
	const before = clock.now();
	let bytes = 0;
	let error: unknown;
	try {
		for await (const chunk of receiveChunks(stream, { ...limits, ...more })) {
			bytes += chunk.length;
			if (handleMs > 0) await clock.sleep(handleMs);
		}
	} catch (thrown) {
		error = thrown;
	}
	const seconds = (clock.now() - before) / 1000;
	return { bytes, seconds, code: getReceiveErrorCode(error), message: (error as Error)?.message };
}

/** Reads a stream to its end: the bytes, the seconds, and the error. */
async function receive(...options: Parameters<typeof readToEnd>) {
	const reading = readToEnd(...options);
	await passTime(reading);
	return await reading;
}

/** A stream of chunks, each after a pause in seconds; Infinity never ends. */
function createSlowStream(...pauses: number[]): Readable {
	const stream = new Readable({ read: () => undefined });
	const send = async () => {
		for (const pause of pauses) {
			if (pause === Infinity) return;
			await clock.sleep(pause * 1000);
			stream.push('x');
		}
		stream.push(null);
	};
	void send();
	return stream;
}

test('a stream within its limits is received whole', async () => {
	const stream = createSlowStream(29, 29, 29);
	expect(await receive(stream)).toEqual({ bytes: 3, seconds: 87 });
	expect(stream.destroyed).toBe(true);
});

test.each([
	[[1, Infinity], 1, 'NO_DATA', 'no data arrived for 30 seconds'],
	[[Infinity], 0, 'NO_DATA', 'no data arrived for 30 seconds'],
	[[20, 20, 20, 20, 19, 20], 5, 'TOO_SLOW', 'it took more than 2 minutes'],
])('a stream with the pauses %j is closed', async (pauses, bytes, code, message) => {
	const stream = createSlowStream(...pauses);
	const received = await receive(stream);
	expect(received).toMatchObject({ bytes, code, message });
	expect(received.seconds).toBeLessThan(111);
	expect(stream.destroyed).toBe(true);
});

test('a clock that is set back does not keep a silent stream open', async () => {
	const setBack = () => (clock.elapsed() > 1_000 ? 3_600_000 : 0);
	jest.spyOn(clock, 'now').mockImplementation(() => clock.elapsed() - setBack());
	const before = clock.elapsed();
	expect((await receive(createSlowStream(Infinity))).code).toBe('NO_DATA');
	expect(clock.elapsed() - before).toBe(30_000);
});

test('closeOnAbort closes the stream, also if the signal has aborted, and then no longer', () => {
	const open = () => new Readable({ read: () => undefined }).on('error', () => undefined);
	const [early, late, ignoring] = [open(), open(), open()];
	const stop = new AbortController();
	closeOnAbort(late, stop.signal);
	closeOnAbort(ignoring, stop.signal)();
	stop.abort();
	closeOnAbort(early, stop.signal);
	expect([early, late, ignoring].map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
});

test('the time in which a chunk is handled is no silence', async () => {
	const stream = createSlowStream(1, 1);
	expect(await receive(stream, {}, 45_000)).toMatchObject({ bytes: 2, code: undefined });
});

test('a stream is closed after the chunk that has too many bytes', async () => {
	let sent = 0;
	const stream = Readable.from(
		(function* () {
			for (; sent < 100; sent++) yield Buffer.alloc(mebibyte / 2);
		})(),
	);
	expect(await receive(stream)).toMatchObject({
		...{ bytes: 1.5 * mebibyte, code: 'TOO_LARGE', message: 'it had more than 1 MB' },
	});
	expect(sent).toBeLessThan(10);
	expect(stream.destroyed).toBe(true);
});

test('the watch over a stream ends with it, and a broken connection has no code', async () => {
	const sleep = jest.spyOn(clock, 'sleep');
	const broken = new Readable({ read: () => void broken.destroy(new Error('gone')) });
	expect(await receive(broken)).toMatchObject({ code: undefined, message: 'gone' });
	const closed = new Readable({ read: () => undefined });
	void receiveChunks(closed, limits)
		.next()
		.catch(() => undefined);
	await new Promise(setImmediate);
	closed.destroy();
	await new Promise(setImmediate);
	expect(sleep.mock.calls.map(([, signal]) => signal?.aborted)).toEqual([true, true]);
	sleep.mockRestore();
});

/** A stream as n8n 2 returns it: another stream reads the connection, and waits for its next chunk. */
function wrapConnection(source: Readable) {
	const connection = new AbortController();
	connection.signal.addEventListener('abort', () => source.destroy());
	async function* chunks() {
		for await (const chunk of source) yield chunk as Buffer;
	}
	const stream = Readable.from(chunks(), { objectMode: false });
	closeConnectionOnDestroy(stream, connection);
	return { stream, connection };
}

test('destroying the stream of a silent connection ends a pending read and closes both', async () => {
	const source = createSlowStream(1, Infinity);
	const { stream } = wrapConnection(source);
	expect(await receive(stream)).toMatchObject({ bytes: 1, code: 'NO_DATA' });
	expect([stream.closed, source.destroyed]).toEqual([true, true]);
});

test('a connection whose response has been read to its end stays open', async () => {
	const { stream, connection } = wrapConnection(createSlowStream(1));
	expect(await receive(stream)).toMatchObject({ bytes: 1, code: undefined });
	stream.destroy();
	expect(connection.signal.aborted).toBe(false);
});

test.each([undefined, null, 'text', new Error('x'), { code: 'ECONNRESET' }])(
	'another error has no code of a limit: %p',
	(error) => expect(getReceiveErrorCode(error)).toBeUndefined(),
);
