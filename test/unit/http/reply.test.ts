/** What an answer is, and the facts of a refusal. */
import type { IDataObject } from 'n8n-workflow';
import { Readable } from 'node:stream';
import {
	findErrorCode,
	readRefusalBody,
	parseReply,
	findThrownResponse,
} from '../../../nodes/core/http/reply';

const answer = (statusCode: number, body: unknown, headers: IDataObject = {}) => ({
	statusCode,
	headers,
	body: body as IDataObject,
});

test.each([
	['an object', 200, { data: { id: 'a' } }, { kind: 'success', body: { data: { id: 'a' } } }],
	['nothing', 204, '', { kind: 'success', body: {} }],
	['an empty text', 200, '', { kind: 'success', body: {} }],
	['a page', 200, '<html></html>', { kind: 'unreadable', cut: false }],
	['the beginning of an object', 200, '{"data": {"id": "a', { kind: 'unreadable', cut: true }],
	['nothing at all', 200, null, { kind: 'unreadable', cut: true }],
	['an error in v3', 404, { error: { code: 'NOT_FOUND' } }, { kind: 'refusal', own: true }],
	['a page of a proxy', 503, '<html></html>', { kind: 'refusal', own: false }],
	['a redirect', 302, '', { kind: 'refusal', own: false }],
	['an error without a code', 500, { error: { message: 'x' } }, { kind: 'refusal', own: false }],
	['an empty code', 500, { error: { code: '' } }, { kind: 'refusal', own: false }],
])('%s with status %d', (_, status, body, expected) => {
	expect(parseReply(answer(status, body), false)).toMatchObject(expected);
});

test('facts are those of the service: code in lower case, field, request, problems', () => {
	const error = {
		code: 'GRAPH_INVALID',
		message: 'Two problems',
		param: 'nodes',
		doc_url: 'https://docs.example/x',
		request_id: 'r1',
		errors: [{ code: 'a' }, null, 'b'],
	};
	expect(parseReply(answer(422, { error }, { 'retry-after': '3' }), false)).toEqual({
		kind: 'refusal',
		status: 422,
		own: true,
		said: 'Two problems',
		facts: {
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

test('an envelope of v1 may carry its error with a status of success', () => {
	expect(parseReply(answer(200, { code: 100, data: { a: 1 } }), true)).toMatchObject({
		kind: 'success',
	});
	expect(parseReply(answer(200, { code: 400123, data: null, message: 'No' }), true)).toMatchObject({
		kind: 'refusal',
		status: 400,
		said: 'No',
		facts: { code: '400123' },
	});
	expect(parseReply(answer(200, { error: 'Broken', data: null }), false)).toMatchObject({
		kind: 'refusal',
		said: 'Broken',
	});
});

test('a long message is clipped, and a long refusal is not read to its end', async () => {
	const long = parseReply(answer(400, { error: { code: 'x', message: 'm'.repeat(5_000) } }), false);
	expect(long.kind === 'refusal' && long.said?.length).toBeLessThan(1_100);
	let sent = 0;
	const endless = Readable.from(
		(function* () {
			while (sent < 100) {
				sent++;
				yield Buffer.alloc(10_000, 'x');
			}
		})(),
	);
	const text = await readRefusalBody(endless as never);
	expect(String(text).length).toBeLessThan(200_000);
	expect(sent).toBeLessThan(50);
});

test('what n8n throws is read by what is in it', () => {
	const error = Object.assign(new Error('x'), {
		cause: { response: { status: 401, headers: { a: 'b' }, data: { error: {} } } },
	});
	expect(findThrownResponse(error)).toEqual({
		statusCode: 401,
		headers: { a: 'b' },
		body: { error: {} },
	});
	expect(findThrownResponse(new Error('x'))).toBeUndefined();
	expect(findErrorCode(Object.assign(new Error('x'), { cause: { code: 'ECONNRESET' } }))).toBe(
		'ECONNRESET',
	);
	expect(findErrorCode(new Error('socket hang up'))).toBe('ECONNRESET');
	expect(findErrorCode(new Error('no'))).toBeUndefined();
});
