/** Server-sent events, cut wherever a network may cut them. */
import { Readable } from 'node:stream';
import { clock } from '../../../nodes/core/clock';
import {
	readJsonEvents,
	readServerSentEvents,
	type ServerSentEvent,
} from '../../../nodes/shared/serverSentEvents';
import { receivedDataLimits } from '../../../nodes/core/http/receivedDataLimits';

const maxEventLength = receivedDataLimits.event.bytes;

async function read(chunks: Array<string | Uint8Array>) {
	const bytes = chunks.map((chunk) => Buffer.from(chunk as string));
	const events = [];
	for await (const event of readServerSentEvents(Readable.from(bytes))) events.push(event);
	return events;
}

const datas = async (...chunks: Array<string | Uint8Array>) =>
	(await read(chunks)).map(({ data }) => data);

test.each([
	['LF', ['data: one', '', 'data: two', '', ''].join('\n'), ['one', 'two']],
	['CRLF', ['data: one', '', 'data: two', '', ''].join('\r\n'), ['one', 'two']],
	['CR', ['data: one', '', 'data: two', '', ''].join('\r'), ['one', 'two']],
	['all of these', 'data: one\r\n\ndata: two\r\r\ndata: three\n\r\n', ['one', 'two', 'three']],
])('lines may end in %s', async (_, text, data) => expect(await datas(text)).toEqual(data));

const tricky = Buffer.from(
	'\uFEFF: a comment\r\ndata: {"text":"Grüße 🎬 – 你好"}\r\n\r\nevent: note\rid: 7\rdata: a\rdata: b\r\rdata: [DONE]\n\n',
);
const expected = [
	{ event: 'message', data: '{"text":"Grüße 🎬 – 你好"}', ended: true },
	{ event: 'note', data: 'a\nb', ended: true },
	{ event: 'message', data: '[DONE]', ended: true },
];

test('a cut anywhere yields the same events, also inside a character or CRLF', async () => {
	for (let at = 0; at <= tricky.length; at++) {
		expect(await read([tricky.subarray(0, at), tricky.subarray(at)])).toEqual(expected);
	}
});

test('an empty chunk between CR and LF changes nothing', async () => {
	expect(await datas('data: one\r', '', '\ndata: two\r\n\r\n')).toEqual(['one\ntwo']);
});

test('single bytes yield the same events', async () => {
	expect(await read([...tricky].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

/** Yields this text a hundred times, and counts how often. */
function createLongStream(text: string) {
	const counts = { chunks: 0 };
	async function* chunks() {
		for (; counts.chunks < 100; counts.chunks++) yield Buffer.from(text);
	}
	return { counts, chunks };
}

test.each([
	['a line that does not end', 'x'.repeat(1024 * 1024)],
	['an event that does not end', `data: ${'x'.repeat(1024 * 1024)}\n`],
])('%s is an error after 64 MB', async (_, text) => {
	const { counts, chunks } = createLongStream(text);
	const first = readServerSentEvents(Readable.from(chunks())).next();
	await expect(first).rejects.toThrow('an event had more than 64 MB');
	expect(counts.chunks).toBeLessThan(70);
});

test('a line may have exactly 64 MB, and the lines of an event together no byte more', async () => {
	const letters = Buffer.alloc(maxEventLength, 'x');
	/** Lines of data with this many letters. */
	async function* createLines(...lengths: number[]) {
		for (const length of lengths) {
			yield Buffer.from('\ndata:');
			yield letters.subarray(0, length);
		}
		yield Buffer.from('\n');
	}
	const longest = maxEventLength - 'data:'.length;
	const { value } = await readServerSentEvents(Readable.from(createLines(longest))).next();
	expect((value as ServerSentEvent).data.length).toBe(longest);
	// The line break after each line counts, too.
	const half = maxEventLength / 2 - 1;
	const tooLarge = readServerSentEvents(Readable.from(createLines(half, half + 1))).next();
	await expect(tooLarge).rejects.toThrow('an event had more than 64 MB');
});

test('a stream that ends inside a character ends with a replacement character', async () => {
	expect(await datas(Buffer.from('data: é').subarray(0, -1))).toStrictEqual(['\ufffd']);
});

test('a stream of many events may have more in all', async () => {
	const { counts, chunks } = createLongStream(`data: ${'x'.repeat(1024 * 1024)}\n\n`);
	let events = 0;
	for await (const { data } of readServerSentEvents(Readable.from(chunks())))
		events += Math.sign(data.length);
	expect([events, counts.chunks]).toEqual([100, 100]);
});

test.each([
	['a byte order mark is removed at the beginning', '\uFEFFdata: one\n\n', ['one']],
	['a byte order mark stays elsewhere', 'data: \uFEFFone\n\n', ['\uFEFFone']],
	[
		'comments, unknown fields and empty events are skipped',
		':\n\n: keep alive\n\nretry: 10\nid: 1\nnonsense\n\n\n\ndata: one\n\n',
		['one'],
	],
	[
		'several data lines are one text; an empty one is an empty line of it',
		'data: one\ndata:\ndata\ndata: two\n\n',
		['one\n\n\ntwo'],
	],
	[
		'one space after the colon is not data, further ones are',
		'data:one\n\ndata:  two\n\ndata: a: b\n\n',
		['one', ' two', 'a: b'],
	],
])('%s', async (_, text, data) => expect(await datas(text)).toEqual(data));

test('the type of an event applies to that event only', async () => {
	expect(
		await read(['event: error\ndata: one\n\ndata: two\n\nevent: lost\n\ndata: three\n\n']),
	).toEqual([
		{ event: 'error', data: 'one', ended: true },
		{ event: 'message', data: 'two', ended: true },
		{ event: 'message', data: 'three', ended: true },
	]);
});

test.each(['data: [DONE]', 'data: [DONE]\n', 'data: [DONE]\r'])(
	'%j without its empty line is an event that has not ended',
	async (text) => {
		expect(await read(['data: one\n\n', text])).toEqual([
			{ event: 'message', data: 'one', ended: true },
			{ event: 'message', data: '[DONE]', ended: false },
		]);
	},
);

test('an event is yielded before the next one has arrived', async () => {
	const stream = new Readable({ read: () => undefined });
	const events = readServerSentEvents(stream);
	for (const text of ['one', 'two']) {
		stream.push(`data: ${text}\n\n`);
		expect((await events.next()).value).toMatchObject({ data: text });
	}
	stream.destroy();
});

/** Reads the events of a stream that sends this once in 200 seconds. */
async function readSlowly(text: string, times: number) {
	let now = 0;
	jest.spyOn(clock, 'elapsed').mockImplementation(() => now);
	async function* chunks() {
		for (let i = 0; i < times; i++) {
			now += 200_000;
			yield Buffer.from(text);
			await new Promise(setImmediate);
		}
	}
	const seen: string[] = [];
	try {
		for await (const { data } of readServerSentEvents(Readable.from(chunks()))) seen.push(data);
		return { seen };
	} catch (error) {
		return { seen, message: (error as Error).message };
	} finally {
		jest.restoreAllMocks();
	}
}

test.each([
	[': a comment\n\n', 'no event arrived for 300 seconds'],
	['id: 7\n', 'no event arrived for 300 seconds'],
])('%j alone does not keep a stream open', async (text, message) => {
	expect(await readSlowly(text, 10)).toEqual({ seen: [], message });
});

test('events keep a stream open', async () => {
	expect(await readSlowly('data: a\n\n', 10)).toEqual({ seen: Array(10).fill('a') });
});

test('the content of an event is parsed after its secrets are masked', async () => {
	const stream = Readable.from([Buffer.from('data: {"key":"secret"}\n\ndata: [DONE]\n\n')]);
	const contents = [];
	for await (const { json } of readJsonEvents(stream, (text) => text.replace('secret', '***'))) {
		contents.push(json);
	}
	expect(contents).toEqual([{ key: '***' }, null]);
});

test('a reader that stops closes the stream, and a broken stream is an error', async () => {
	const endless = Readable.from(
		(function* () {
			for (;;) yield Buffer.from('data: again\n\n');
		})(),
	);
	for await (const { data } of readServerSentEvents(endless)) {
		expect(data).toBe('again');
		break;
	}
	expect(endless.destroyed).toBe(true);

	const broken = new Readable({ read: () => undefined });
	broken.push('data: one\n\n');
	setTimeout(() => broken.destroy(new Error('gone')), 10);
	const seen: string[] = [];
	await expect(
		(async () => {
			for await (const { data } of readServerSentEvents(broken)) seen.push(data);
		})(),
	).rejects.toThrow('gone');
	expect(seen).toEqual(['one']);
});

test('a line of 40 MB in small chunks is complete', async () => {
	const chunk = Buffer.alloc(16 * 1024, 'A');
	const chunks = ['data: ', ...Array.from({ length: 2560 }, () => chunk), '\n\n'];
	const [data] = await datas(...chunks);
	expect(data).toHaveLength(2560 * chunk.length);
});
