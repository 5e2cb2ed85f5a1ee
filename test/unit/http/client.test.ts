/** The client of a node run: what it reads of lists and other responses, and what it sends. */
import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import {
	createClient,
	fetchResourceOncePerRun,
	type ListPage,
} from '../../../nodes/core/http/client';

const request = { line: 'GET /v3/things' };

let accounts = 0;

/**
 * A client of a service that responds with these bodies, one after another; the last one repeats. Or
 * one that makes its bodies.
 */
async function connect(
	bodies: unknown[] | (() => unknown),
	options?: Parameters<typeof createClient>[1],
	status = 200,
) {
	const sent: IHttpRequestOptions[] = [];
	const warn = jest.fn<void, [string]>();
	const baseUrl = `https://api${accounts++}.example`;
	const client = await createClient(
		{
			getNode: () => ({ name: 'Node' }),
			getWorkflow: () => ({ id: 'w1' }),
			getTimezone: () => 'Europe/Berlin',
			getInputData: () => [],
			getNodeParameter: () => 'apiKey',
			getCredentials: async () => await Promise.resolve({ baseUrl, apiKey: 'the-key' }),
			logger: { warn },
			helpers: {
				httpRequestWithAuthentication: async (_: string, one: IHttpRequestOptions) => {
					const count = sent.push(one);
					const body =
						typeof bodies === 'function' ? bodies() : bodies[Math.min(count, bodies.length) - 1];
					return await Promise.resolve({ statusCode: status, headers: {}, body });
				},
			},
		} as unknown as IExecuteFunctions,
		options,
	);
	return { client, sent, warn, baseUrl };
}

/** The pages of a list until its end, the error at its end, and the cursors that were sent. */
async function readPages(bodies: unknown[], token?: string) {
	const { client, sent } = await connect(bodies);
	const pages: ListPage[] = [];
	let error: unknown;
	try {
		const query = { type: 'a' };
		for await (const page of client.fetchPages({ ...request, query }, 5, token)) pages.push(page);
	} catch (thrown) {
		error = thrown;
	}
	return { pages, error, queries: sent.map(({ qs }) => qs as IDataObject) };
}

const row = { id: 'a' };

test.each([
	['a text', { data: [row], next_token: 'c' }],
	['a text inside data', { data: { things: [row], next_token: 'c', has_more: true } }],
	['a text, although nothing says that there is more', { data: [row], next_token: 'c' }],
])('pages are read until one has no cursor, which may be %s', async (_, first) => {
	const { pages, error, queries } = await readPages([first, { data: [] }]);
	expect(pages).toEqual([{ rows: [row], next: 'c' }, { rows: [] }]);
	expect(error).toBeUndefined();
	expect(queries).toStrictEqual([
		{ type: 'a', limit: 5 },
		{ type: 'a', limit: 5, token: 'c' },
	]);
});

test('a cursor may be a number, and the first one may be that of the caller', async () => {
	const { queries } = await readPages([{ data: [row], next_token: 7 }, { data: [] }], 'start');
	expect(queries.map(({ token }) => token)).toEqual(['start', '7']);
});

test.each([
	['the service says that it was the last', { data: [row], next_token: 'c', has_more: false }],
	['data says so', { data: { things: [row], next_token: 'c', has_more: false } }],
	['it has no cursor', { data: [row], next_token: '' }],
])('a page is the last one if %s', async (_, body) => {
	const { pages, error, queries } = await readPages([body]);
	expect(pages).toEqual([{ rows: [row] }]);
	expect([error, queries.length]).toEqual([undefined, 1]);
});

test('a repeated cursor ends a list if nothing says that there is more', async () => {
	const { pages, error } = await readPages([{ data: [row], next_token: 'c' }]);
	expect(pages).toEqual([{ rows: [row], next: 'c' }, { rows: [row] }]);
	expect(error).toBeUndefined();
});

test.each([
	['lost', undefined],
	['repeated', 'c'],
])('a %s cursor is an error after the rows', async (_, next_token) => {
	const { pages, error } = await readPages([
		{ data: [row], next_token: 'c' },
		{ data: [row, row], next_token, has_more: true },
	]);
	expect(pages).toHaveLength(2);
	expect(getErrorDetails(error)).toEqual({ code: 'lost_cursor', status: 200 });
	expect(error).toHaveProperty(
		'message',
		expect.stringMatching(/: entries read so far: 3 \(pages: 2\)$/),
	);
});

test('a list may have 20 empty pages in a row, but not 21', async () => {
	const empty = (from: number) =>
		Array.from({ length: 20 }, (_, i) => ({ data: [], next_token: from + i }));
	const more = { data: [row], next_token: 999 };
	const good = await readPages([...empty(0), more, ...empty(50), { data: [row] }]);
	expect([good.pages.length, good.error]).toEqual([42, undefined]);
	const endless = await readPages([...empty(0), { data: [], next_token: 98 }, { data: [] }]);
	expect(endless.pages).toHaveLength(21);
	expect(getErrorDetails(endless.error)).toEqual({ code: 'endless_list', status: 200 });
	expect((await readPages([...empty(0), { data: [] }])).error).toBeUndefined();
});

/** Reads a list whose pages have this content, and always a new cursor. */
async function readEndlessly(data: unknown[]) {
	let token = 0;
	const { client, sent } = await connect(() =>
		Readable.from([Buffer.from(JSON.stringify({ data, next_token: token++ }))]),
	);
	const readAll = async () => {
		for await (const { rows } of client.fetchPages(request, 100)) expect(rows).not.toEqual([]);
	};
	const error = await readAll().catch((thrown: unknown) => thrown as Error);
	expect(getErrorDetails(error)).toEqual({ code: 'endless_list', status: 200 });
	return { requests: sent.length, message: error?.message };
}

test.each<[string, unknown[], number, string]>([
	['pages', [row], 2_001, 'more than 2,000 pages; entries read so far: 2,001 (pages: 2,001)'],
	['entries', Array(500).fill({}), 201, 'more than 100,000 entries; entries read so far: 100,500'],
	[
		'values',
		[{ a: Array(50_000).fill(0) }],
		40,
		'more than 2,000,000 values; entries read so far: 40',
	],
	['bytes', [{ a: 'x'.repeat(8e6) }], 34, 'more than 256 MB; entries read so far: 34'],
])('a list with endless %s ends with an error that says so', async (_, data, requests, text) => {
	const result = await readEndlessly(data);
	expect(result.message).toContain(text);
	expect(result.requests).toBe(requests);
});

test.each([
	['no entries', null, []],
	['texts', ['a', row], [{ value: 'a' }, row]],
	['a list inside data', { things: [row], count: 1 }, [row]],
])('a list of %s is read', async (_, data, rows) => {
	const { client } = await connect([{ data }]);
	expect(await client.fetchRows(request)).toEqual(rows);
});

test.each([
	['no list', {}],
	['two lists', { things: [row], others: [] }],
	['an empty entry', [row, null]],
])('%s is an error', async (_, data) => {
	const { client } = await connect([{ data }]);
	const error: unknown = await client.fetchRows(request).catch((thrown: unknown) => thrown);
	expect(getErrorDetails(error)).toEqual({ code: 'odd_list', status: 200 });
});

test('the data of a response is returned, or the response if it has none', async () => {
	const { client } = await connect([{ data: row }, row, Readable.from(['{"id":"a"}'])]);
	expect(await client.fetchData(request)).toEqual(row);
	expect(await client.fetchData(request)).toEqual(row);
	expect(await client.fetchReply(request)).toEqual(row);
});

test('an error is returned, or thrown', async () => {
	const { client } = await connect([{ error: { code: 'x' } }], {}, 404);
	const outcome = await client.tryRequest(request);
	expect(outcome).toEqual({ ok: false, error: expect.any(Error) });
	const details = { code: 'x', status: 404 };
	for (const fetch of [client.fetchReply, client.openStream]) {
		const error: unknown = await fetch(request).catch((thrown: unknown) => thrown);
		expect(getErrorDetails(error)).toEqual(details);
	}
});

test('a stream is opened, and another body is an error', async () => {
	const stream = Readable.from(['x']);
	const { client } = await connect([stream, row]);
	expect(await client.openStream(request)).toBe(stream);
	const error: unknown = await client.openStream(request).catch((thrown: unknown) => thrown);
	expect(getErrorDetails(error)).toEqual({ code: 'not_json' });
	stream.destroy();
});

test('a client that only reads sends nothing that could create something', async () => {
	const { client, sent } = await connect([row], { isReadOnly: true });
	const create = { line: 'POST /v3/things' };
	const message = 'POST /v3/things was not sent: "Check Only" creates nothing';
	expect(await client.tryRequest(create)).toMatchObject({ ok: false, error: { message } });
	await expect(client.openStream(create)).rejects.toThrow(message);
	expect(await client.tryRequest(request)).toEqual({ ok: true, reply: row });
	expect(sent).toHaveLength(1);
	const other = await connect([row]);
	expect(await other.client.tryRequest(create)).toEqual({ ok: true, reply: row });
});

test('a client has the account, the time zone and the signal of its run', async () => {
	const { signal } = new AbortController();
	const { client, warn, baseUrl } = await connect([], { signal });
	expect(client).toMatchObject({ account: `${baseUrl} videoGenApi `, zone: 'Europe/Berlin' });
	expect(client.signal).toBe(signal);
	expect(client.capacityWait).toEqual({ seconds: 0 });
	expect(client.removeSecrets('Use the-key')).toBe('Use ***');
	client.warn('Text');
	expect(warn).toHaveBeenCalledWith('Node (workflow w1): Text');
});

test.each([
	[undefined, 3],
	[2, 2],
	[100, 3],
])(
	'with Max Concurrent Requests set to %p, %d transfers run at a time',
	async (requestsAtOnce, most) => {
		const { client } = await connect([], { requestsAtOnce });
		let running = 0;
		let seen = 0;
		const transfer = async () => {
			seen = Math.max(seen, ++running);
			await new Promise(setImmediate);
			return running--;
		};
		const results = await Promise.all(
			Array.from({ length: 20 }, async () => await client.runTransfer(transfer)),
		);
		expect(results.every((result) => result > 0)).toBe(true);
		expect(seen).toBe(most);
	},
);

test('a request waits for no transfer', async () => {
	const { client } = await connect([row], { requestsAtOnce: 1 });
	let finish = () => undefined as void;
	const transfer = client.runTransfer(
		async () => await new Promise<void>((resolve) => (finish = resolve)),
	);
	expect(await client.fetchReply({ line: 'GET /v3/things' })).toEqual(row);
	finish();
	await transfer;
});

test('all items of a run share a resource', async () => {
	const { client, sent } = await connect([row]);
	const fetch = async (id: string) =>
		await fetchResourceOncePerRun(client, 'GET /v3/things/{id}', { id });
	expect([await fetch('a'), await fetch('a'), await fetch('b')]).toEqual(
		Array.from({ length: 3 }, () => ({ ok: true, reply: row })),
	);
	expect(sent.map(({ url }) => url.split('/').at(-1))).toEqual(['a', 'b']);
});
