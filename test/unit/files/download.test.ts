/** Downloads whose connection breaks, and responses that are no file. */
import { Readable } from 'node:stream';
import type { IExecuteFunctions, IHttpRequestOptions, INode, NodeError } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { downloadFile, type DownloadSource } from '../../../nodes/core/files/download';
import type { Client } from '../../../nodes/core/http/client';

const MiB = 1024 * 1024;

/** A response: its status and headers, its chunks, and the code of the error that breaks it. */
interface Answer {
	/** Whether the connection is closed before anybody reads. */
	isClosed?: boolean;
	status?: number;
	headers?: Record<string, string>;
	chunks?: Array<string | Buffer>;
	breaks?: string;
}

const type = { 'content-type': 'video/mp4' };
const whole = (length: number) => ({ ...type, etag: '"1"', 'content-length': String(length) });
const part = (from: number, total: number) => ({
	...{ ...type, etag: '"1"', 'content-range': `bytes ${from}-${total - 1}/${total}` },
});

async function* produce({ chunks = [], breaks }: Answer) {
	for (const chunk of chunks) yield Buffer.from(chunk);
	if (breaks === undefined) return;
	// An error discards what nobody has read yet.
	for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
	throw Object.assign(new Error('It broke'), { code: breaks });
}

/** Downloads a file from a storage with these answers. */
async function download(answers: Answer[], source: Partial<DownloadSource> = {}, gone = Infinity) {
	const requests: Array<Record<string, unknown>> = [];
	const streams: Readable[] = [];
	const stored: Array<[string, string, string]> = [];
	jest
		.spyOn(clock, 'sleep')
		// Nothing is silent for 10 seconds in these tests.
		.mockImplementation(async (time) => await new Promise((done) => time < 10_000 && done()));
	const helpers = {
		httpRequest: async ({ headers }: IHttpRequestOptions) => {
			requests.push({ ...headers });
			const answer = answers.shift();
			if (!answer) throw new Error('There is no further answer');
			const body = Readable.from(produce(answer), { objectMode: false });
			streams.push(body);
			if (answer.isClosed) await new Promise((resolve) => body.destroy().once('close', resolve));
			return { statusCode: answer.status ?? 200, headers: answer.headers ?? type, body };
		},
		prepareBinaryData: async (content: Readable, name: string, mimeType: string) => {
			const chunks: Buffer[] = [];
			for await (const chunk of content) chunks.push(Buffer.from(chunk as Buffer));
			const bytes = Buffer.concat(chunks);
			stored.push([bytes.subarray(0, 20).toString(), name, mimeType]);
			return { data: '', mimeType, fileName: name, bytes: bytes.length };
		},
	};
	const host = { helpers } as unknown as IExecuteFunctions;
	const client = {
		...{ node: { name: 'Node' } as INode, signal: new AbortController().signal },
		runTransfer: async (send: () => Promise<unknown>) => await send(),
	} as unknown as Client;
	let sources = 0;
	const getSource = async (): Promise<DownloadSource> => {
		if (++sources > gone) throw new Error('The video was deleted');
		return {
			...{ url: 'https://files.example/v', mimeType: 'video/mp4', extension: 'mp4' },
			name: { id: 'v1', kind: 'video' },
			...source,
		};
	};
	const outcome = await downloadFile(host, client, getSource).then(
		({ bytes }) => bytes,
		({ message, context }: NodeError) => [message, (context?.details as { code?: string })?.code],
	);
	return { outcome, stored, ranges: requests.map(({ Range }) => Range), requests, streams };
}

afterEach(() => jest.restoreAllMocks());

test('a file is requested uncompressed and stored with its name and type', async () => {
	const { outcome, stored, requests, streams } = await download([{ chunks: ['ab', 'c'] }]);
	expect([outcome, stored]).toStrictEqual([3, [['abc', 'v1.mp4', 'video/mp4']]]);
	expect(requests).toStrictEqual([{ 'Accept-Encoding': 'identity' }]);
	expect(streams[0]?.destroyed).toBe(true);
});

describe('a broken connection', () => {
	test('is continued at the same byte, again and again', async () => {
		const { outcome, stored, ranges, requests, streams } = await download([
			{ headers: whole(6), chunks: ['ab'], breaks: 'ECONNRESET' },
			{ status: 206, headers: part(2, 6), chunks: ['cd'], breaks: 'ETIMEDOUT' },
			{ status: 206, headers: part(4, 6), chunks: ['ef'] },
		]);
		expect([outcome, stored[0]?.[0]]).toStrictEqual([6, 'abcdef']);
		expect(ranges).toStrictEqual([undefined, 'bytes=2-', 'bytes=4-']);
		expect(requests[1]).toMatchObject({ 'If-Range': '"1"', 'Accept-Encoding': 'identity' });
		expect(streams.map(({ destroyed }) => destroyed)).toStrictEqual([true, true, true]);
	});

	test('that is closed before it is read starts over', async () => {
		const { outcome, ranges } = await download([
			{ isClosed: true, headers: whole(2), chunks: ['ab'] },
			{ headers: whole(2), chunks: ['ab'] },
		]);
		expect([outcome, ranges]).toStrictEqual([2, [undefined, undefined]]);
	});

	test('after the last byte does not matter', async () => {
		const answer = { headers: whole(2), chunks: ['ab'], breaks: 'ECONNRESET' };
		const { outcome, ranges } = await download([answer]);
		expect([outcome, ranges]).toStrictEqual([2, [undefined]]);
	});

	test('that ends too early without an error is continued, too', async () => {
		const { outcome } = await download([
			{ headers: whole(4), chunks: ['ab'] },
			{ status: 206, headers: part(2, 4), chunks: ['cd'] },
		]);
		expect(outcome).toBe(4);
	});

	test.each<[string, number, number]>([
		['little', 10, 4],
		['a mebibyte', MiB, 6],
	])('with %s of progress each time has a limited number of attempts', async (...row) => {
		const [, size, count] = row;
		const total = 9 * MiB;
		const answers = Array.from({ length: count }, (_, i): Answer => {
			const isLast = count > 4 && i === count - 1;
			return {
				status: i === 0 ? 200 : 206,
				headers: i === 0 ? whole(total) : part(i * size, total),
				chunks: [Buffer.alloc(isLast ? total - i * size : size, 'x')],
				...(isLast ? {} : { breaks: 'ECONNRESET' }),
			};
		});
		const { outcome, ranges } = await download(answers);
		expect(ranges).toHaveLength(count);
		if (count > 4) expect(outcome).toBe(total);
		else expect(outcome).toStrictEqual([expect.stringContaining('was lost'), 'econnreset']);
	});

	test.each<[string, Answer]>([
		['ignores ranges', { chunks: ['abcd'] }],
		['sends another range', { status: 206, headers: part(1, 4), chunks: ['bcd'] }],
		['has no such range', { status: 416 }],
	])('starts over if the storage %s', async (_, answer) => {
		const { outcome, ranges, streams } = await download([
			{ headers: whole(4), chunks: ['ab'], breaks: 'ECONNRESET' },
			answer,
			{ headers: whole(4), chunks: ['abcd'] },
		]);
		expect([outcome, ranges]).toStrictEqual([4, [undefined, 'bytes=2-', undefined]]);
		expect(streams[1]?.destroyed).toBe(true);
	});

	test('before the first byte, or without a version, starts over', async () => {
		const broken = { breaks: 'ECONNRESET' };
		const { ranges } = await download([
			{ ...broken, headers: whole(2) },
			{ ...broken, chunks: ['a'] },
			{ ...broken, headers: { ...whole(2), 'accept-ranges': 'none' }, chunks: ['a'] },
			{ chunks: ['ab'] },
		]);
		expect(ranges).toStrictEqual([undefined, undefined, undefined, undefined]);
	});

	test('is final if the file was deleted, or the URL cannot be replaced', async () => {
		const broken = { headers: whole(4), chunks: ['ab'], breaks: 'ECONNRESET' };
		const deleted = await download([broken], {}, 1);
		expect(deleted.outcome).toStrictEqual(['The video was deleted', undefined]);
		const expired = await download([broken, { status: 403 }], { fixed: true });
		expect(expired.outcome).toStrictEqual([expect.stringContaining('status 403'), undefined]);
		const replaced = await download([
			...[broken, { status: 403 }],
			{ status: 206, headers: part(2, 4), chunks: ['cd'] },
		]);
		expect(replaced.outcome).toBe(4);
	});

	test('of a file that arrives decompressed starts over', async () => {
		const { ranges } = await download([
			{ headers: whole(1), chunks: ['ab'], breaks: 'ECONNRESET' },
			{ headers: whole(2), chunks: ['a'], breaks: 'Z_DATA_ERROR' },
			{ chunks: ['ab'] },
		]);
		expect(ranges).toStrictEqual([undefined, undefined, undefined]);
	});
});

describe('a response', () => {
	const withType = (contentType: string) => ({ headers: { 'content-type': contentType } });
	const short = { chunks: ['ab'], headers: { 'content-length': '3' } };
	test.each<[string, Answer, string, string | undefined]>([
		['without bytes', {}, 'The downloaded file is empty', 'empty_file'],
		['with a web page', { chunks: [' <!DOCTYPE html>'] }, 'a web page (text/html)', 'not_a_file'],
		['with a message', { chunks: ['{"error"'] }, 'a message (application/json)', 'not_a_file'],
		['of a page', withType('text/HTML; a'), 'a web page (text/html)', 'not_a_file'],
		['of a message', withType('application/x+json'), 'message (application/x+json)', 'not_a_file'],
		['that is too short', short, 'is incomplete: 2 of 3 bytes', 'incomplete_file'],
		['with another status', { status: 404 }, 'not be downloaded (HTTP status 404)', undefined],
		['with the status of a part', { status: 206 }, '(HTTP status 206)', undefined],
	])('%s is no file, and is requested again', async (_, answer, message, code) => {
		const { outcome } = await download(Array.from({ length: 40 }, () => ({ ...answer })));
		expect(outcome).toStrictEqual([expect.stringContaining(message), code]);
	});

	test('from a URL that cannot be replaced is final if it is a page', async () => {
		const page = { chunks: ['<html>'] };
		const { outcome, ranges } = await download([page, page], { fixed: true });
		expect([outcome, ranges.length]).toStrictEqual([
			['The file URL returns a web page (text/html)', 'not_a_file'],
			1,
		]);
	});

	test('may be text or JSON if that is expected, and longer than announced', async () => {
		const json = { mimeType: 'application/json', extension: 'json' };
		expect((await download([{ chunks: ['{}'] }], json)).outcome).toBe(2);
		const html = { mimeType: 'text/html', extension: 'html' };
		expect((await download([{ chunks: ['<html>'] }], html)).outcome).toBe(6);
		const headers = { ...type, 'content-length': '1' };
		expect((await download([{ headers, chunks: ['abc'] }])).outcome).toBe(3);
	});
});
