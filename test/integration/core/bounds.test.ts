/** Responses that are endless, malformed or contain secrets: the node limits, explains or masks them. */
import { createServer, type RequestListener } from 'node:http';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar, continueOnFail, createCalls, getVideo, speakingImage } from '../support/calls';
import { getErrorDetails } from '../support/core';
import { byId, runNode, storeBinary, type RunOptions } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const { createVideos, createSessions } = createCalls(service);
const listening = useServers();

const apiKey = 'sk-very-secret-key-1234567890';

/** Runs VideoGen Video with a service that responds as the test defines. */
const runWith = async (answer: RequestListener, form: INodeParameters, options: RunOptions = {}) =>
	await runNode(
		{ baseUrl: await listening(createServer(answer)), apiKey },
		'VideoGenVideo',
		form,
		options,
	);
const json =
	(body: unknown, status = 200): RequestListener =>
	(request, response) => {
		request.resume();
		response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
	};

describe('a download', () => {
	test.each([
		['text/html', 'a web page'],
		['Text/HTML; charset=utf-8', 'a web page'],
		['application/xhtml+xml', 'a web page'],
		['application/json', 'a message'],
		['application/problem+json', 'a message'],
	])('with the media type %s is %s, and no video', async (type, what) => {
		const download = { operation: 'download', video_id: byId('v1'), binaryPropertyName: 'data' };
		const { items: out, error } = await runWith((request, response) => {
			const url = `http://${request.headers.host}/file`;
			if (request.url?.startsWith('/v3')) {
				json({ data: { id: 'v1', status: 'completed', video_url: url } })(request, response);
				return;
			}
			response.writeHead(200, { 'content-type': type }).end('{"error":"gone"}');
		}, download);
		expect(out).toEqual([]);
		expect(error?.message).toContain(`returns ${what}`);
		expect(getErrorDetails(error).code).toBe('not_a_file');
	});
});

describe('a list', () => {
	const list: INodeParameters = { operation: 'getMany', returnAll: true };

	test('of empty pages with ever-new cursors ends with an error', async () => {
		let pages = 0;
		const { error } = await runWith((request, response) => {
			json({ data: [], has_more: true, next_token: `t${++pages}` })(request, response);
		}, list);
		expect(error?.message).toContain('more than 20 empty pages in a row; entries read so far: 0');
		expect(getErrorDetails(error).code).toBe('endless_list');
		expect(pages).toBeLessThan(50);
	});

	test.each([
		[true, 'entries read so far: 2 (pages: 2)'],
		[undefined, undefined],
	])('whose cursor repeats is incomplete if has_more is %p', async (has_more, message) => {
		const circle = json({ data: [{ id: 'a' }], has_more, next_token: 'same' });
		const { items: out, error } = await runWith(circle, list);
		expect(error?.message.replace(/.*: (?=entries)/, '')).toBe(message);
		expect(out).toHaveLength(message === undefined ? 2 : 0);
	});

	/** Two pages: the first has one entry and this cursor, the second one more entry. */
	const twoPages = async (first: IDataObject) =>
		await runWith((request, response) => {
			const isFirst = !request.url?.includes('token=');
			const last = { data: [{ id: 'b' }], has_more: false };
			json(isFirst ? { has_more: true, ...first } : last)(request, response);
		}, list);

	test.each<[string, IDataObject]>([
		['a number', { data: [{ id: 'a' }], next_token: 2 }],
		['inside data', { data: { list: [{ id: 'a' }], next_token: 't2' } }],
	])('whose cursor is %s is read to its end', async (_, first) => {
		const { items: out, error } = await twoPages(first);
		expect(error).toBeUndefined();
		expect(out.map(({ json: { video_id: id } }) => id)).toEqual(['a', 'b']);
	});

	test('that has more entries but no cursor is an error, not the first page', async () => {
		const { error } = await twoPages({ data: [{ id: 'a' }] });
		expect(error?.message).toContain('entries read so far: 1');
		expect(getErrorDetails(error).code).toBe('lost_cursor');
	});

	test('that is null is empty', async () => {
		const { items: out, error } = await runWith(json({ data: null, has_more: false }), list);
		expect({ out, error }).toEqual({ out: [], error: undefined });
	});

	test.each([[[{ id: 'a' }, null]], ['rows'], [7]])(
		'that is %j is a readable error',
		async (data) => {
			const { error } = await runWith(json({ data }), list);
			expect(getErrorDetails(error).code).toBe('odd_list');
			expect(error?.message).not.toMatch(/undefined|TypeError|Cannot read/);
		},
	);
});

/** Responds with JSON that never ends, and counts the requests and the bytes sent. */
function createEndlessService() {
	const counts = { requests: 0, bytes: 0 };
	const answer: RequestListener = (request, response) => {
		request.resume();
		counts.requests++;
		response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":"');
		const chunk = Buffer.alloc(65_536, 'x');
		const more = () => {
			while (counts.bytes < 200_000_000 && !response.destroyed) {
				counts.bytes += chunk.length;
				if (!response.write(chunk)) return void response.once('drain', more);
			}
			response.end('"}');
		};
		more();
	};
	return { counts, answer };
}

describe('a good response', () => {
	test.each([
		['a create', avatar()],
		['a read', getVideo('video_001')],
	])('of 200 MB is not read, and not requested again: %s', async (_, form) => {
		const { counts, answer } = createEndlessService();
		const { error } = await runWith(answer, form);
		expect(error?.message).toContain('it had more than 16 MB');
		expect(getErrorDetails(error).code).toBe('response_too_large');
		expect(counts.requests).toBe(1);
		expect(counts.bytes).toBeLessThan(40_000_000);
	});

	test('that is too large does not hide that a video may have been created', async () => {
		const { error } = await runWith(createEndlessService().answer, avatar());
		const details = getErrorDetails(error);
		expect(details.uncertain).toBe(true);
		expect(error?.description).toContain(String(details.idempotency_key));
	});

	/** Responds to a create request and to status requests with these bodies. */
	const respond =
		(created: unknown, status: unknown): RequestListener =>
		(request, response) =>
			json(request.method === 'POST' ? created : status)(request, response);
	const video_url = 'https://files.example/v.mp4';

	test.each<[string, unknown, unknown]>([
		[
			'numbers as IDs',
			{ data: { video_id: 17 } },
			{ data: { id: 17, status: 'completed', video_url } },
		],
		[
			'the video inside data',
			{ data: { video: { video_id: '17' } } },
			{ data: { video: { id: '17', status: 'completed', video_url } } },
		],
		[
			'data inside data',
			{ data: { data: { video_id: '17' } } },
			{ data: { data: { id: '17', status: 'completed', video_url } } },
		],
	])('with %s leads to the finished video', async (_, created, status) => {
		const form = { ...avatar(), waitForCompletion: true };
		const { items, error } = await runWith(respond(created, status), form);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ status: 'completed', video_url });
		expect(String(items[0]?.json.video_id)).toBe('17');
		expect(items[0]?.json.job).toMatchObject({ id: '17' });
	});
});

describe('an error body', () => {
	test.each([
		['a create', 402, '{"error":{"code":"insufficient_credit","message":"', avatar()],
		['a read', 404, '', getVideo('video_001')],
	])('of 100 MB is read only at its beginning: %s', async (_, status, start, form) => {
		let sent = 0;
		const before = process.memoryUsage().rss;
		const { error } = await runWith((request, response) => {
			request.resume();
			response.writeHead(status, { 'content-type': 'application/json' }).write(start);
			const chunk = Buffer.alloc(65_536, 'x');
			const more = () => {
				while (sent < 100_000_000 && !response.destroyed) {
					sent += chunk.length;
					if (!response.write(chunk)) return void response.once('drain', more);
				}
				response.end('"}}');
			};
			more();
		}, form);
		expect(error?.httpCode).toBe(String(status));
		expect(sent).toBeLessThan(20_000_000);
		expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
	});

	test('with a message of 50,000 letters is truncated, and so are its other details', async () => {
		const text = 'long '.repeat(10_000);
		const errors = Array(10).fill({ code: text, message: text, path: text });
		const error = { code: 'invalid_parameter', message: text, param: text, request_id: text };
		const answer = json({ error: { ...error, doc_url: text, errors } }, 400);
		const result = await runWith(answer, avatar());
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
			const { error } = await runWith(answer, avatar());
			expect(error?.httpCode).toBe('422');
			expect(error?.message).not.toMatch(/stack|RangeError/);
		}
	});
});

describe('an API key that the service echoes is masked', () => {
	const shown = (value: unknown) => JSON.stringify(value);

	test.each([400, 402, 403, 404, 409, 422])(
		'in every detail of an error with status %i',
		async (status) => {
			const error = {
				code: `code_${apiKey}`,
				message: `Your key ${apiKey} may not`,
				param: apiKey,
				doc_url: `https://docs.example/?key=${apiKey}`,
				request_id: apiKey,
				errors: [{ code: apiKey, message: apiKey, node_id: apiKey, port: apiKey, path: apiKey }],
			};
			const thrown = await runWith(json({ error }, status), avatar());
			expect(thrown.error?.message).toContain('***');
			expect(shown([thrown.error, thrown.run.data.resultData.error])).not.toContain(apiKey);
			const kept = await runWith(json({ error }, status), avatar(), { node: continueOnFail });
			expect(shown(kept.items)).not.toContain(apiKey);
		},
	);

	test.each([
		['as it is', apiKey],
		['in Base64', Buffer.from(apiKey).toString('base64')],
		['in a header in Base64', `Basic ${Buffer.from(`key:${apiKey}`).toString('base64')}`],
	])('in a successful response, %s', async (_, echoed) => {
		const data = { id: 'v1', status: 'completed', title: `Your key: ${echoed}`, [echoed]: 1 };
		const { items, error } = await runWith(json({ data }), getVideo('v1'));
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ video_id: 'v1', title: expect.stringContaining('***') });
		expect(shown(items)).not.toContain(echoed);
		const list = { operation: 'getMany', returnAll: true, simple: false };
		expect(shown((await runWith(json({ data: [data] }), list)).items)).not.toContain(echoed);
	});

	test('in a code in any case, because codes are shown in lower case', async () => {
		const upper = 'SK-VERY-SECRET-KEY-1234567890';
		service.control.fail({ path: /videos/, status: 400, code: upper, message: 'Not so' });
		const { error } = await createVideos(1, {}, { credential: { apiKey: upper } });
		expect(error?.message).toContain('Not so');
		expect(shown(error).toUpperCase()).not.toContain(upper);
	});

	test.each([
		['failure reason', { failure_message: apiKey, failure_code: `c_${apiKey}` }, '***'],
		['error object', { error: { code: apiKey, message: apiKey } }, '***'],
		['status of a job that does not end', { status: `odd ${apiKey}` }, 'was not finished'],
	])('in the %s', async (_, more, words) => {
		const { error } = await runWith(
			(request, response) => {
				const status = { id: 'v1', status: 'failed', ...more };
				json({ data: request.method === 'POST' ? { video_id: 'v1' } : status })(request, response);
			},
			avatar({ waitForCompletion: true, options: { pollInterval: 1, waitTimeout: 0.1 } }),
		);
		expect(error?.message).toContain(words);
		expect(shown(error)).not.toContain(apiKey);
	});
});

describe('a download', () => {
	/** Downloads a video whose file has this URL. */
	const download = async (video_url: string) =>
		await runWith(json({ data: { id: 'v1', status: 'completed', video_url } }), {
			operation: 'download',
			video_id: byId('v1'),
			binaryPropertyName: 'data',
		});

	test.each([
		['an empty file', 'video/mp4', '', 'empty'],
		['a web page', 'text/html; charset=utf-8', '<html>Log in</html>', 'web page'],
	])('of %s is an error, and no file', async (_, type, body, words) => {
		let attempts = 0;
		const files = createServer((request, response) => {
			attempts++;
			response.writeHead(200, { 'content-type': type }).end(body);
		});
		const { error, items: out } = await download(`${await listening(files)}/v`);
		expect(error?.message).toContain(words);
		expect(out).toHaveLength(0);
		// Each attempt has a fresh URL, and the attempts are limited.
		expect(attempts).toBe(4);
	});

	test.each([
		'file:///etc/passwd',
		'ftp://files.example/v.mp4',
		'gopher://x',
		'data:text/plain,a',
		'not an address',
		'///',
	])('from %s fails immediately and says what is allowed', async (address) => {
		const { error } = await download(address);
		expect(error?.message).toContain(`begins with "${address.replace(/(?<=:).*/, '')}"`);
		expect(error?.description).toContain('https://');
	});

	test('from a host that cannot be reached does not blame the Base URL', async () => {
		const { error } = await download('http://127.0.0.1:1/v.mp4?signed=secret');
		expect(error?.message).toBe('The file host cannot be reached');
		expect(error?.description).toContain('127.0.0.1:1 cannot be reached from this n8n instance');
		expect(error?.description).not.toMatch(/Base URL|signed=/);
	});

	test('without a URL names the missing file', async () => {
		expect((await download('')).error?.message).toMatch(
			/has no file "Video": its video_url is empty$/,
		);
	});
});

describe('values that expressions can return', () => {
	test.each(['NaN', 'Infinity', '-Infinity'])('%s is a readable problem', async (value) => {
		const options = { waitTimeout: `={{ ${value} }}` };
		const { error } = await createVideos(1, { waitForCompletion: true, options });
		expect(error?.message).toMatch(/"Wait Timeout \(Minutes\)" must be/);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('a text of a megabyte as an id is rejected before anything is sent', async () => {
		const { error } = await runNode(service, 'VideoGenVideo', getVideo('<'.repeat(1_000_000)));
		expect(error?.message).toBe('The video id has more than 2,000 characters');
		expect(service.control.requests()).toHaveLength(0);
	});

	test('a whole number beyond those that JavaScript keeps exact is rejected', async () => {
		const { error } = await runNode(service, 'VideoGenWorkflow', {
			resource: 'run',
			operation: 'start',
			workflow_id: byId('wf_001'),
			options: { version_number: 2 ** 53 },
		});
		expect(error?.message).toContain(
			'"Version Number" must be at most 9,007,199,254,740,991, but is 9007199254740992',
		);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('half of a character is a readable problem in an id, and reaches the service in a text', async () => {
		for (const id of ['a\ud800', '\udc00b', '\ud83d']) {
			const { error } = await runNode(service, 'VideoGenVideo', getVideo(id));
			expect(error?.message).toMatch(/incomplete character|not a valid/);
			expect(error?.message).not.toContain('URI malformed');
		}
		expect(service.control.requests()).toHaveLength(0);
		expect((await createSessions(1, { prompt: 'a\ud800b' })).error).toBeUndefined();
	});

	test('an item with an empty file is an error', async () => {
		const data = await storeBinary(Buffer.alloc(0), 'a.png', 'image/png');
		const options = { items: [{ json: {}, binary: { data } }] };
		const { error } = await runNode(service, 'VideoGenVideo', speakingImage(), options);
		expect(error?.message).toContain('empty');
	});
});

test('a long successful response is read completely', async () => {
	const data = { id: 'v1', status: 'completed', title: 'x'.repeat(5_000_000) };
	const { items: out, error } = await runWith(json({ data }), getVideo('v1'));
	expect(error).toBeUndefined();
	expect(String(out[0]?.json.title)).toHaveLength(5_000_000);
});
