/** Responses that are endless, malformed or contain secrets: the node limits, explains or masks them. */
import { createServer, type RequestListener } from 'node:http';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar, items, session } from '../support/calls';
import { getErrorDetails } from '../support/core';
import { byId, createFileItem, runNode, storeBinary } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const listening = useServers();

const apiKey = 'sk-very-secret-key-1234567890';

/** A service with a listener that the test provides. */
const odd = async (answer: RequestListener) => ({
	baseUrl: await listening(createServer(answer)),
	apiKey,
});
const json =
	(body: unknown, status = 200): RequestListener =>
	(request, response) => {
		request.resume();
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	};

const list: INodeParameters = { operation: 'getMany', returnAll: true };

describe('a list', () => {
	test('of empty pages with ever-new cursors ends with an error', async () => {
		let pages = 0;
		const endless = await odd((request, response) =>
			json({ data: [], has_more: true, next_token: `t${++pages}` })(request, response),
		);
		const { error } = await runNode(endless, 'VideoGenVideo', list);
		expect(error?.message).toContain('returns only empty pages');
		expect(getErrorDetails(error).code).toBe('endless_list');
		expect(pages).toBeLessThan(50);
	});

	test('whose cursor repeats ends with the rows so far', async () => {
		const circle = await odd(json({ data: [{ id: 'a' }], has_more: true, next_token: 'same' }));
		const { items: out, error } = await runNode(circle, 'VideoGenVideo', list);
		expect(error).toBeUndefined();
		expect(out.length).toBeLessThan(5);
	});

	test('with a row that is null, or without rows, is a readable error', async () => {
		for (const data of [[{ id: 'a' }, null], null, 'rows', 7]) {
			const { error } = await runNode(await odd(json({ data })), 'VideoGenVideo', list);
			expect(getErrorDetails(error).code).toBe('odd_list');
			expect(error?.message).not.toMatch(/undefined|TypeError|Cannot read/);
		}
	});
});

describe('an error body', () => {
	/** Sends a body of the given size until the client disconnects, and counts the bytes. */
	const long = (bytes: number, status: number, start = '', sent = { bytes: 0 }): RequestListener =>
		function answer(request, response) {
			request.resume();
			response.writeHead(status, { 'content-type': 'application/json' });
			const chunk = Buffer.alloc(65_536, 'x');
			response.write(start);
			const more = () => {
				while (sent.bytes < bytes && !response.destroyed) {
					sent.bytes += chunk.length;
					if (!response.write(chunk)) return void response.once('drain', more);
				}
				response.end('"}}');
			};
			more();
		};

	test('of 100 MB is read only at its beginning', async () => {
		const sent = { bytes: 0 };
		const start = '{"error":{"code":"insufficient_credit","message":"';
		const before = process.memoryUsage().rss;
		const { error } = await runNode(
			await odd(long(100_000_000, 402, start, sent)),
			'VideoGenVideo',
			avatar(),
			{ items: items(1) },
		);
		expect(error?.httpCode).toBe('402');
		expect(sent.bytes).toBeLessThan(20_000_000);
		expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
	});

	test('of 100 MB in the response to a GET is read only at its beginning, too', async () => {
		const sent = { bytes: 0 };
		await runNode(await odd(long(100_000_000, 404, '', sent)), 'VideoGenVideo', {
			operation: 'get',
			video_id: byId('video_001'),
		});
		expect(sent.bytes).toBeLessThan(20_000_000);
	});

	test('with a message of 50,000 letters is truncated, and so are its other details', async () => {
		const text = 'long '.repeat(10_000);
		const error = {
			code: 'invalid_parameter',
			message: text,
			param: text,
			request_id: text,
			doc_url: text,
			errors: Array.from({ length: 10 }, () => ({ code: text, message: text, path: text })),
		};
		const result = await runNode(await odd(json({ error }, 400)), 'VideoGenVideo', avatar(), {
			items: items(1),
		});
		expect(result.error?.message.length).toBeLessThan(1_200);
		expect(JSON.stringify(getErrorDetails(result.error)).length).toBeLessThan(100_000);
		expect(String(result.error?.description).length).toBeLessThan(50_000);
	});

	test('with ten thousand problems, or with deeply nested ones, is still reported', async () => {
		const many = Array.from({ length: 10_000 }, (_, i) => ({ code: `p${i}` }));
		let deep: unknown = { code: 'deep' };
		for (let i = 0; i < 1_000; i++) deep = { code: 'deep', path: [deep] };
		for (const errors of [many, [deep]]) {
			const answer = json({ error: { code: 'graph_invalid', message: 'No', errors } }, 422);
			const { error } = await runNode(await odd(answer), 'VideoGenVideo', avatar(), {
				items: items(1),
			});
			expect(error?.httpCode).toBe('422');
			expect(error?.message).not.toMatch(/stack|RangeError/);
		}
	});
});

describe('an API key that the service echoes', () => {
	const shown = (value: unknown) => JSON.stringify(value);

	test('is masked in every detail of an error', async () => {
		const error = {
			code: `code_${apiKey}`,
			message: `Your key ${apiKey} may not`,
			param: apiKey,
			doc_url: `https://docs.example/?key=${apiKey}`,
			request_id: apiKey,
			errors: [{ code: apiKey, message: apiKey, node_id: apiKey, port: apiKey, path: apiKey }],
		};
		for (const status of [400, 402, 403, 404, 409, 422]) {
			const echo = await odd(json({ error }, status));
			const thrown = await runNode(echo, 'VideoGenVideo', avatar(), { items: items(1) });
			expect(thrown.error?.message).toContain('***');
			expect(shown([thrown.error, thrown.run.data.resultData.error])).not.toContain(apiKey);
			const kept = await runNode(echo, 'VideoGenVideo', avatar(), {
				items: items(1),
				node: { onError: 'continueRegularOutput' },
			});
			expect(shown(kept.items)).not.toContain(apiKey);
		}
	});

	test('is masked in a code in any case, because codes are shown in lower case', async () => {
		const upper = 'SK-VERY-SECRET-KEY-1234567890';
		const { error } = await runNode(
			{ ...(await odd(json({ error: { code: upper, message: 'No' } }, 400))), apiKey: upper },
			'VideoGenVideo',
			avatar(),
			{ items: items(1) },
		);
		expect(shown(error).toUpperCase()).not.toContain(upper);
	});

	test.each([
		['reason', { failure_message: `Refused for ${apiKey}`, failure_code: `c_${apiKey}` }],
		['error object', { error: { code: apiKey, message: apiKey } }],
	])('is masked in the %s of a job that failed', async (_, more) => {
		const echo = await odd((request, response) =>
			json({
				data:
					request.method === 'POST'
						? { video_id: 'v1', status: 'pending' }
						: { id: 'v1', status: 'failed', ...more },
			})(request, response),
		);
		const form = avatar({ waitForCompletion: true, options: { pollInterval: 1 } });
		const thrown = await runNode(echo, 'VideoGenVideo', form, { items: items(1) });
		expect(thrown.error?.message).toContain('***');
		expect(shown(thrown.error)).not.toContain(apiKey);
	});

	test('is masked in the status of a job that did not end', async () => {
		const echo = await odd((request, response) =>
			json({
				data:
					request.method === 'POST' ? { video_id: 'v1' } : { id: 'v1', status: `odd ${apiKey}` },
			})(request, response),
		);
		const form = avatar({ waitForCompletion: true, options: { waitTimeout: 0.1 } });
		const { error } = await runNode(echo, 'VideoGenVideo', form, { items: items(1) });
		expect(error?.message).toContain('was not finished');
		expect(shown(error)).not.toContain(apiKey);
	});
});

describe('a download', () => {
	/** A service with a video whose file is at this URL, or is served by this listener. */
	const place = async (answer: RequestListener | string) => {
		const files =
			typeof answer === 'string' ? answer : `${await listening(createServer(answer))}/v`;
		const data = { id: 'v1', status: 'completed', video_url: files };
		return await odd(json({ data }));
	};
	const download: INodeParameters = {
		operation: 'download',
		video_id: byId('v1'),
		binaryPropertyName: 'data',
	};

	test.each([
		['an empty file', 'video/mp4', '', 'empty'],
		[
			'a web page instead of the file',
			'text/html; charset=utf-8',
			'<html>Log in</html>',
			'web page',
		],
	])('of %s is an error, and no file', async (_, type, body, words) => {
		let attempts = 0;
		const { error, items: out } = await runNode(
			await place((request, response) => {
				attempts++;
				response.writeHead(200, { 'content-type': type }).end(body);
			}),
			'VideoGenVideo',
			download,
		);
		expect(error?.message).toContain(words);
		expect(out).toHaveLength(0);
		// Each attempt has a fresh URL, and the attempts are limited.
		expect(attempts).toBe(4);
	});

	test.each(['file:///etc/passwd', 'ftp://files.example/v.mp4', 'gopher://x', 'data:text/plain,a'])(
		'from %s fails immediately and says what is allowed',
		async (address) => {
			const { error } = await runNode(await place(address), 'VideoGenVideo', download);
			expect(error?.message).toContain(`begins with "${address.split(':')[0]}:"`);
			expect(error?.description).toContain('https://');
		},
	);

	test('without a valid URL is a readable error', async () => {
		for (const address of ['', 'not an address', '///']) {
			const { error } = await runNode(await place(address), 'VideoGenVideo', download);
			expect(error).toBeDefined();
			expect(error?.message).not.toMatch(/TypeError|Cannot read|undefined/);
		}
	});
});

describe('values that expressions can return', () => {
	test.each([
		['NaN', '={{ NaN }}'],
		['Infinity', '={{ Infinity }}'],
		['-Infinity', '={{ -Infinity }}'],
	])('%s is a readable problem', async (_, value) => {
		const { error } = await runNode(
			service,
			'VideoGenVideo',
			avatar({ waitForCompletion: true, options: { waitTimeout: value } }),
			{ items: items(1) },
		);
		expect(error?.message).toMatch(/"Wait Timeout \(Minutes\)" must be/);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('half of a character in an id is a readable problem', async () => {
		for (const id of ['a\ud800', '\udc00b', '\ud83d']) {
			const { error } = await runNode(service, 'VideoGenVideo', {
				operation: 'get',
				video_id: byId(id),
			});
			expect(error?.message).toMatch(/incomplete character|not a valid/);
			expect(error?.message).not.toContain('URI malformed');
		}
		expect(service.control.requests()).toHaveLength(0);
	});

	test('half of a character in a text reaches the service', async () => {
		const { error } = await runNode(service, 'VideoGenAgent', session({ prompt: 'a\ud800b' }));
		expect(error).toBeUndefined();
	});

	test('an item without its file, or with an empty file, is an error', async () => {
		const image: INodeParameters = {
			operation: 'createImage',
			image: { __rl: true, mode: 'binary', value: 'data' },
			speechFrom: 'text',
			script: 'Hello there, this is a long enough text.',
			voice_id: byId('voice_001'),
			waitForCompletion: false,
		};
		const none = await runNode(service, 'VideoGenVideo', image, { items: items(1) });
		expect(none.error?.message).toContain('no file in a binary field "data"');
		const data = await storeBinary(Buffer.alloc(0), 'a.png', 'image/png');
		const empty = await runNode(service, 'VideoGenVideo', image, {
			items: [{ json: {}, binary: { data } }],
		});
		expect(empty.error).toBeDefined();
		expect((await createFileItem(Buffer.from('x'), 'image/png')).binary).toBeDefined();
	});
});

test('a long successful response is read completely', async () => {
	const data: IDataObject = { id: 'v1', status: 'completed', title: 'x'.repeat(5_000_000) };
	const { items: out, error } = await runNode(await odd(json({ data })), 'VideoGenVideo', {
		operation: 'get',
		video_id: byId('v1'),
	});
	expect(error).toBeUndefined();
	expect(String(out[0]?.json.title)).toHaveLength(5_000_000);
});
