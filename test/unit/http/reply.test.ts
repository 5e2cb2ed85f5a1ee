/** How responses and errors of n8n are read. */
import type { IDataObject } from 'n8n-workflow';
import { Readable } from 'node:stream';
import {
	findThrownErrorCode,
	findThrownErrorMessage,
	findTokenRenewalFailure,
	isStream,
	waitForStreamClose,
	parseReply,
	readReply,
	findThrownResponse,
} from '../../../nodes/core/http/reply';

const response = (statusCode: number, body: unknown, headers: IDataObject = {}) => ({
	statusCode,
	headers,
	body: body as IDataObject,
});

const foreign = { kind: 'rejection', isFromService: false };

test.each([
	['an object', 200, { data: { id: 'a' } }, { kind: 'success', body: { data: { id: 'a' } } }],
	['an object without data', 200, { id: 'a' }, { kind: 'success', body: { id: 'a' } }],
	['data and a warning', 200, { error: 'x', data: {} }, { kind: 'success' }],
	['the last status of success', 299, {}, { kind: 'success', status: 299 }],
	['no content', 204, '', { kind: 'success', body: {} }],
	['no content at all', 204, null, { kind: 'success', body: {} }],
	['an empty text', 200, '', { kind: 'success', body: {} }],
	['a page', 200, '<html></html>', { kind: 'unreadable', code: 'not_json' }],
	['the beginning of an object', 200, '{"data": {"i', { kind: 'unreadable', code: 'cut_answer' }],
	['null', 200, null, { kind: 'unreadable', code: 'cut_answer' }],
	['an error in v3', 404, { error: { code: 'X' } }, { kind: 'rejection', isFromService: true }],
	['a page of a proxy', 503, '<html></html>', foreign],
	['a redirect', 302, '', foreign],
	['several choices', 300, {}, foreign],
	['an unusual status', 199, {}, foreign],
	['an error without a body', 500, null, foreign],
	['an error without a code', 500, { error: { message: 'x' } }, foreign],
	['an empty code', 500, { error: { code: '' } }, foreign],
])('%s with status %d', (_, status, body, expected) => {
	expect(parseReply(response(status, body), false)).toMatchObject(expected);
});

test('a rejection has the code in lower case, the field, the request ID and the problems', () => {
	const error = {
		code: 'GRAPH_INVALID',
		message: 'Two problems',
		param: 'nodes',
		doc_url: 'https://docs.example/x',
		request_id: 'r1',
		errors: [{ code: 'a' }, null, 'b'],
	};
	expect(parseReply(response(422, { error }, { 'retry-after': '3' }), false)).toEqual({
		kind: 'rejection',
		status: 422,
		isFromService: true,
		serviceMessage: 'Two problems',
		details: {
			status: 422,
			code: 'graph_invalid',
			param: 'nodes',
			doc_url: 'https://docs.example/x',
			request_id: 'r1',
			retry_after: 3,
			errors: [{ code: 'a' }],
		},
	});
});

test('a rejection has only the details that the service returns', () => {
	expect(parseReply(response(500, { error: { message: 'No' } }), false)).toEqual({
		...foreign,
		status: 500,
		details: { status: 500 },
		serviceMessage: 'No',
	});
});

test('a problem of a workflow graph has texts, numbers and paths', () => {
	const problem = { code: 'a', message: '', node_id: 5, port: null, path: ['nodes', 0], extra: 1 };
	const reply = parseReply(response(422, { error: { code: 'x', errors: [problem] } }), false);
	expect(reply).toMatchObject({
		details: { errors: [{ code: 'a', node_id: 5, path: 'nodes.0' }] },
	});
	expect(reply).not.toHaveProperty(['details', 'errors', 0, 'message']);
	expect(reply).not.toHaveProperty(['details', 'errors', 0, 'extra']);
});

test.each([
	[
		{ data: { data: { id: 'a' } }, code: 100 },
		{ data: { id: 'a' }, code: 100 },
	],
	[{ data: { data: [] } }, { data: { data: [] } }],
	[{ data: { data: {}, id: 'a' } }, { data: { data: {}, id: 'a' } }],
	[{ data: { id: 'a' } }, { data: { id: 'a' } }],
])('data whose only content is another data object is unwrapped: %j', (body, expected) => {
	expect(parseReply(response(200, body), false)).toMatchObject({ body: expected });
});

test.each([
	[{ code: 100, data: { a: 1 } }, true, { kind: 'success' }],
	[
		{ code: 400123, data: null, message: 'No' },
		true,
		{ kind: 'rejection', status: 400, serviceMessage: 'No', details: { code: '400123' } },
	],
	[{ error: 'Broken', data: null }, false, { kind: 'rejection', serviceMessage: 'Broken' }],
	[{ code: { toString: 1, valueOf: 1 }, data: {} }, true, { kind: 'rejection', status: 400 }],
])('a v1 envelope may carry an error with a status of success: %j', (body, isV1, expected) => {
	expect(parseReply(response(200, body), isV1)).toMatchObject(expected);
});

test('a rejection has the first 100 problems of a workflow graph', () => {
	const errors = Array.from({ length: 101 }, (_, i) => ({ code: `problem ${i + 1}` }));
	expect(
		parseReply(response(422, { error: { code: 'graph_invalid', errors } }), false),
	).toMatchObject({ details: { errors: errors.slice(0, 100) } });
});

test('a message of more than 1,000 characters is cut', () => {
	const readMessage = (message: string) =>
		parseReply(response(400, { error: { code: 'x', message } }), false);
	const longest = 'm'.repeat(1_000);
	expect(readMessage(longest)).toMatchObject({ serviceMessage: longest });
	expect(readMessage(`${longest}m`)).toMatchObject({ serviceMessage: `${longest} …` });
});

test('errors that n8n throws contain the response or a code', () => {
	const thrown = (cause: object) => Object.assign(new Error('x'), { cause });
	const data = { error: {} };
	const found = findThrownResponse(
		thrown({ response: { status: 401, headers: { a: 'b' }, data } }),
	);
	expect(found).toEqual({ statusCode: 401, headers: { a: 'b' }, body: data });
	expect(findThrownResponse(new Error('x'))).toBeUndefined();
	expect(findThrownErrorCode(thrown({ code: 'ENOTFOUND' }))).toBe('ENOTFOUND');
	expect(findThrownErrorCode(new Error('socket hang up'))).toBe('ECONNRESET');
	expect(findThrownErrorCode(new Error('no'))).toBeUndefined();
	expect(findThrownErrorCode(thrown({ code: 'no code' }))).toBeUndefined();
	expect(findThrownErrorCode(thrown({ code: ['ECONNRESET'] }))).toBeUndefined();
	expect(findThrownErrorCode(thrown({ name: 'SsrfBlockedIpError' }))).toBe('BLOCKED_BY_N8N');
	expect(findThrownErrorCode({ messages: ['aborted'] })).toBe('ECONNRESET');
});

test('the code of an error is searched in four causes, also if these are endless', () => {
	const nest = (depth: number): object =>
		depth === 0 ? { code: 'ENOTFOUND' } : { cause: nest(depth - 1) };
	expect(findThrownErrorCode(nest(4))).toBe('ENOTFOUND');
	expect(findThrownErrorCode(nest(5))).toBeUndefined();
	const endless: { cause?: object } = {};
	endless.cause = endless;
	expect(findThrownErrorCode(endless)).toBeUndefined();
});

test('the message of an error is that of its cause, or the first of several', () => {
	const error = { message: 'outer', messages: ['first', 'second'], cause: { message: 'inner' } };
	expect(findThrownErrorMessage(error)).toBe('inner');
	expect(findThrownErrorMessage({ ...error, cause: undefined })).toBe('first');
	expect(findThrownErrorMessage({ message: 'outer' })).toBe('outer');
	expect(findThrownErrorMessage('text')).toBe('unknown');
});

/** A stream with these chunks, which then ends or hangs. */
function createStream(chunks: string[], hangs = false): Readable {
	const stream = new Readable({ read: () => undefined });
	for (const chunk of chunks) stream.push(chunk);
	if (!hangs) stream.push(null);
	return stream;
}

test('only objects that can be read chunk by chunk are streams', () => {
	const values = [createStream([]), {}, [], null, undefined, 'text'];
	expect(values.map(isStream)).toEqual([true, false, false, false, false, false]);
});

test('a stream is waited for until it is closed', async () => {
	const stream = createStream([]);
	const onClose = jest.fn();
	void waitForStreamClose(stream).then(onClose);
	await new Promise(setImmediate);
	expect(onClose).toHaveBeenCalledTimes(0);
	stream.destroy();
	await new Promise(setImmediate);
	expect(onClose).toHaveBeenCalledTimes(1);
	void waitForStreamClose(stream).then(onClose);
	await new Promise(setImmediate);
	expect(onClose).toHaveBeenCalledTimes(2);
});

/** The reply to a request whose response has this body. */
const read = async (statusCode: number, body: Readable, seconds = 10) =>
	await readReply(response(statusCode, body), {
		legacy: false,
		seconds,
		mask: (text) => text.replace('secret', '***'),
	});

describe('the body of a good response', () => {
	test('is read whole, chunk by chunk, and its secrets are masked', async () => {
		const chunks = ['{"data":', '{"title":"ü","key":"secret"}}'];
		expect(await read(200, createStream(chunks))).toEqual({
			kind: 'success',
			status: 200,
			body: { data: { title: 'ü', key: '***' } },
			size: { bytes: 38, values: 4 },
		});
		const page = { kind: 'unreadable', status: 200, code: 'not_json' };
		expect(await read(200, createStream(['no JSON']))).toEqual(page);
		expect(await read(200, createStream([]))).toMatchObject({ kind: 'success', body: {} });
	});

	test('is given up when it does not arrive in time', async () => {
		const stream = createStream(['{"data":'], true);
		expect(await read(200, stream, 0.02)).toEqual({
			...{ kind: 'unreadable', status: 200, code: 'cut_answer' },
			limit: 'it took more than 0 seconds',
		});
		expect(stream.destroyed).toBe(true);
	});

	test('is truncated when the connection breaks', async () => {
		const stream = createStream(['{"data":'], true);
		setTimeout(() => stream.destroy(new Error('socket hang up')), 5);
		const truncated = { kind: 'unreadable', status: 200, code: 'cut_answer', limit: undefined };
		expect(await read(200, stream)).toEqual(truncated);
	});

	test('is not read beyond 16 MiB', async () => {
		let sent = 0;
		const mebibyte = Buffer.alloc(1024 * 1024, ' ');
		const stream = new Readable({
			read() {
				sent++;
				this.push(sent <= 400 ? mebibyte : null);
			},
		});
		const tooLarge = { kind: 'unreadable', status: 200, code: 'response_too_large' };
		const limit = 'it had more than 16 MB';
		expect(await read(200, stream)).toEqual({ ...tooLarge, limit });
		expect(stream.destroyed).toBe(true);
		expect(sent).toBeLessThan(20);
		const largest = createStream([`["${'x'.repeat(16 * 1024 * 1024 - 4)}"]`]);
		expect(await read(200, largest)).toMatchObject({ kind: 'success' });
		const nested = createStream(['['.repeat(101) + ']'.repeat(101)]);
		expect(await read(200, nested)).toEqual({
			...tooLarge,
			limit: 'it had more than 100 levels of nesting',
		});
	});
});

test('of a rejection only the beginning is read, or as much as arrives', async () => {
	let sent = 0;
	const endless = new Readable({
		read: () => {
			sent++;
			endless.push('x'.repeat(10_000));
		},
	});
	expect(await read(500, endless)).toMatchObject(foreign);
	expect(endless.destroyed).toBe(true);
	expect(sent).toBeLessThan(20);
	const rejection = { kind: 'rejection', details: { code: 'x' } };
	expect(await read(404, Readable.from(['{"error":', '{"code":"x"}}']))).toMatchObject(rejection);
	const broken = createStream(['{"error":{"code":"x"}}'], true);
	setTimeout(() => broken.destroy(new Error('socket hang up')), 5);
	expect(await read(404, broken)).toMatchObject(rejection);
	const nested = '['.repeat(30_000) + ']'.repeat(30_000);
	const body = Readable.from([`{"error":{"code":"x","errors":[{"path":${nested}}]}}`]);
	expect(await read(404, body)).toMatchObject(foreign);
});

describe('a failed renewal of the OAuth token', () => {
	const tokenUrl = 'https://auth.example/token';
	const failure = (cause: object) => Object.assign(new Error('x'), { cause });

	const unreachable = { code: 'ECONNREFUSED', config: { url: tokenUrl } };
	const rejected = {
		code: 'ERR_BAD_REQUEST',
		config: { url: tokenUrl },
		response: { status: 400 },
	};

	test.each([
		['a rejection', failure({ code: 'EAUTH', message: 'no' }), { reason: 'no' }],
		['a status', failure({ ...rejected, message: 'no' }), { reason: 'no' }],
		[
			'a status in the message',
			new Error('status code 500'),
			{ reason: 'status code 500', temporary: { status: 500 } },
		],
		[
			'a limit',
			failure({ code: 'ESTATUS', status: 429 }),
			{ reason: 'x', temporary: { status: 429 } },
		],
		['no connection', failure(unreachable), { reason: 'x', temporary: { code: 'ECONNREFUSED' } }],
	])('is recognized: %s', (_, error, expected) => {
		expect(findTokenRenewalFailure(error, tokenUrl)).toEqual(expected);
	});

	test('is not the failure of another request', () => {
		const error = failure({ code: 'ECONNREFUSED', config: { url: 'https://api.example' } });
		expect(findTokenRenewalFailure(error, tokenUrl)).toBeUndefined();
		expect(findTokenRenewalFailure(error, undefined)).toBeUndefined();
		const url = 'https://api.example';
		expect(findTokenRenewalFailure(failure({ config: { url } }), tokenUrl)).toBeUndefined();
		const noRequest = failure({ code: 'ECONNREFUSED' });
		expect(findTokenRenewalFailure(noRequest, tokenUrl)).toBeUndefined();
		expect(findTokenRenewalFailure(noRequest, undefined)).toBeUndefined();
	});
});
