/** One stream from several connections: their number, their requests, and the failure of the last. */
import type { IDataObject } from 'n8n-workflow';
import { createResumableStream, type DownloadSource } from '../../../nodes/core/files/download';
import type { TransferFailure } from '../../../nodes/core/files/transfer';
import {
	answer,
	createBody,
	createClient,
	createCodedError,
	createFileHost,
	describeTransferFailure,
} from './fileHost';

afterEach(() => jest.restoreAllMocks());

const file: DownloadSource = {
	url: 'https://files.example/a',
	name: { id: 'a', kind: 'video' },
	mimeType: 'video/mp4',
	extension: 'mp4',
	fixed: false,
};
const total = 2 * 1024 * 1024;
const reset = createCodedError('ECONNRESET');

/** A connection that delivers these bytes and then breaks, unless there is no error. */
const begin = (size: number, headers: IDataObject = {}, error: Error | undefined = reset) =>
	answer(200, { etag: '"1"', ...headers }, createBody([Buffer.alloc(size)], error));
const proceed = (from: number, size: number, error: Error | undefined = reset) => {
	const headers = { etag: '"1"', 'content-range': `bytes ${from}-${total - 1}/${total}` };
	return answer(206, headers, createBody([Buffer.alloc(size)], error));
};

type Answers = Parameters<typeof createFileHost>;

/** Opens the stream of a download whose connections are these, the first one already open. */
function open(answers: Answers, { signal, source }: { signal?: AbortSignal; source?: Error } = {}) {
	const [response, ...others] = answers;
	const { host, requests } = createFileHost(...others);
	const { client, pauses } = createClient(signal);
	const failures: TransferFailure[] = [];
	const getSource = async () => await (source ? Promise.reject(source) : Promise.resolve(file));
	const stream = createResumableStream(
		{ host, client, source: getSource, file, response: response as ReturnType<typeof answer> },
		(failure) => failures.push(failure),
	);
	return { stream, requests, pauses, failures };
}

/** Reads such a stream: the number of its bytes and of further connections, and its failures. */
async function read(...options: Parameters<typeof open>) {
	const { stream, requests, pauses, failures } = open(...options);
	let bytes = 0;
	let hasFailed = false;
	try {
		for await (const chunk of stream) bytes += (chunk as Buffer).length;
	} catch {
		hasFailed = true;
	}
	expect(failures).toHaveLength(hasFailed ? 1 : 0);
	return {
		bytes,
		further: requests.length,
		pauses,
		failure: failures.map(describeTransferFailure)[0],
	};
}

const lost = {
	message: 'The connection to the file host was lost before a response arrived',
	description: 'Try again later.\nReason: gone',
	details: { code: 'econnreset', uncertain: true },
};

const rejection = (status: number, retryable: boolean) => ({
	message: `The file could not be downloaded (HTTP status ${status})`,
	description: expect.stringContaining('Try again later.'),
	...{ details: { status }, retryable },
});

test('a file of unknown length is complete when its connection ends without an error', async () => {
	const etag = { etag: '"1"' };
	const result = await read([answer(200, etag, createBody(['ab', 'c']))]);
	expect(result).toStrictEqual({ bytes: 3, further: 0, pauses: [], failure: undefined });
});

test('progress of a mebibyte counts for the connection that makes it, not for later ones', async () => {
	const mebibyte = 1024 * 1024;
	const answers = [begin(1), proceed(1, 1), proceed(2, mebibyte)];
	for (let i = 0; i < 4; i++) answers.push(proceed(mebibyte + 2 + i, 1));
	expect(await read(answers)).toStrictEqual({
		...{ bytes: mebibyte + 5, further: 5, failure: { ...lost, retryable: false } },
		pauses: [750, 1500, 750, 1500, 3000],
	});
});

test('a connection that cannot be opened again uses up the attempts', async () => {
	const failing = [answer(503), reset, answer(429), answer(200)];
	expect(await read([begin(1), ...failing])).toStrictEqual({
		...{ bytes: 1, further: 3, pauses: [750, 1500, 3000] },
		failure: rejection(429, false),
	});
	expect(await read([begin(1), reset, proceed(1, 1), reset, answer(500)])).toStrictEqual({
		...{ bytes: 2, further: 3, pauses: [750, 1500, 3000], failure: { ...lost, retryable: false } },
	});
});

test.each([
	['stops with the execution', { signal: AbortSignal.abort() }, { ...lost, retryable: false }, []],
	[
		'ends when the file no longer exists',
		{ source: new Error('The video was deleted') },
		{ message: 'The video was deleted', retryable: false },
		[750],
	],
])('a broken download %s', async (_, options, failure, pauses) => {
	const result = await read([begin(1), proceed(1, total - 1)], options);
	expect(result).toMatchObject({ bytes: 1, further: 0, failure, pauses });
});

test.each<[string, Answers, number, object]>([
	['without a byte', [begin(0, {}, reset)], 0, lost],
	['that delivers too many bytes', [begin(3, { 'content-length': '2' }, reset)], 0, lost],
	['of another version of the file', [begin(1), answer(200)], 1, lost],
])('a broken connection %s lets the download start over', async (_, answers, further, failure) => {
	expect(await read(answers)).toMatchObject({ further, failure: { ...failure, retryable: true } });
});

test.each([
	[0, [], 0],
	[3, [answer(416)], 1],
])('a connection that ends after %i of 5 bytes is incomplete', async (size, others, further) => {
	const body = createBody(size > 0 ? [Buffer.alloc(size)] : []);
	const first = answer(200, { 'content-length': '5' }, body);
	expect(await read([first, ...others])).toMatchObject({
		further,
		failure: {
			message: `The downloaded file is incomplete: ${size} of 5 bytes`,
			...{ details: { code: 'incomplete_file' }, retryable: true },
		},
	});
});

test('a reader that stops closes the connection that is open', async () => {
	const body = createBody([Buffer.alloc(1), Buffer.alloc(1)], reset);
	const headers = { etag: '"1"', 'content-range': `bytes 1-${total - 1}/${total}` };
	const { stream } = open([begin(1), answer(206, headers, body)]);
	const chunks = stream[Symbol.asyncIterator]();
	expect([await chunks.next(), await chunks.next()]).toMatchObject(Array(2).fill({ done: false }));
	await chunks.return?.();
	await new Promise((resolve) => setImmediate(resolve));
	expect(body).toMatchObject({ destroyed: true, errored: null });
});
