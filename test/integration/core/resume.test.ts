/** Downloads whose connection breaks: when they resume, and when they start over. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';
import { byId, readContent, runNode } from '../support/engine';
import { useServers } from '../support/servers';

const listening = useServers();

const MiB = 2 ** 20;

const hash = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** Bytes without any repetition. */
const bytesOf = (size: number, seed = 'a') =>
	Buffer.concat(
		Array.from({ length: Math.ceil(size / 32) }, (_, i) => hash(`${seed} ${i}`)),
	).subarray(0, size);

interface Storage {
	file: Buffer;
	/** Bytes after which each response breaks off. The responses after the last one are complete. */
	cuts: number[];
	/** It supports ranges. */
	ranges?: boolean;
	/** Its `Accept-Ranges` header. */
	says?: string;
	/** It compresses the file, whatever the request accepts. */
	packed?: boolean;
	/** It sends an ETag. */
	tagged?: boolean;
	/** How often each URL can be used. */
	uses?: number;
	/** Called before each response, with its number. */
	before?: (answer: number) => void;
}

/**
 * Lets the client read what was sent, and store it. Counts turns of the event loop and of the disk, because on a
 * busy machine time passes without any.
 */
async function arrival() {
	const file = join(process.env.N8N_USER_FOLDER ?? '', 'turn-of-the-disk');
	for (let turn = 0; turn < 15; turn++) {
		await setTimeout(15);
		await writeFile(file, String(turn));
	}
}

/** A service with one video, whose file is in that storage. */
async function withStorage(storage: Storage) {
	const asked: Array<{ url: string; headers: IncomingHttpHeaders }> = [];
	let addresses = 0;
	const server = createServer((request, response) => {
		const { url = '', headers } = request;
		if (url.startsWith('/v3/videos')) {
			response.setHeader('content-type', 'application/json');
			const data = { id: 'v', status: 'completed', video_url: `${own}/v.mp4?n=${++addresses}` };
			response.end(JSON.stringify({ data }));
			return;
		}
		storage.before?.(asked.length);
		asked.push({ url, headers });
		const { ranges = true, tagged = true, uses = Infinity, cuts } = storage;
		if (asked.filter((other) => other.url === url).length > uses) {
			response.writeHead(403).end('<Error/>');
			return;
		}
		const file = storage.packed ? gzipSync(storage.file) : storage.file;
		const tag = `"${hash(file).toString('hex')}"`;
		const isSame = headers['if-range'] === undefined || headers['if-range'] === tag;
		const wanted = /^bytes=(\d+)-$/.exec(headers.range ?? '');
		const from = ranges && wanted && isSame ? Number(wanted[1]) : 0;
		const rest = file.subarray(from);
		response.writeHead(from > 0 ? 206 : 200, {
			'content-type': 'video/mp4',
			'content-length': rest.length,
			...(tagged ? { etag: tag } : {}),
			...(storage.packed ? { 'content-encoding': 'gzip' } : {}),
			...(storage.says === undefined ? {} : { 'accept-ranges': storage.says }),
			...(from > 0 ? { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` } : {}),
		});
		const cut = cuts[asked.length - 1];
		if (cut === undefined) response.end(rest);
		else response.write(rest.subarray(0, cut), () => void arrival().then(() => response.destroy()));
	});
	const own = await listening(server);
	const run = async (node = {}) =>
		await runNode({ baseUrl: own, apiKey: 'key-of-the-test' }, 'VideoGenVideo', {
			operation: 'download',
			video_id: byId('v'),
			binaryPropertyName: 'data',
			...node,
		} as INodeParameters);
	return { run, asked };
}

/** Downloads from that storage, and expects the whole file. Returns what the storage was asked. */
async function expectWhole(storage: Storage, node = {}) {
	const { run, asked } = await withStorage(storage);
	const { items, error } = await run(node);
	expect(error).toBeUndefined();
	expect((await readContent(items[0])).equals(storage.file)).toBe(true);
	return asked;
}

test.each([
	[[1, 1, 1]],
	[[65_536, 65_536, 65_536]],
	[[149_999, 70_000, 1]],
	[[12_345, 50_000, 31_007]],
])('a file is complete after cuts after %j bytes', async (cuts) => {
	const asked = await expectWhole({ file: bytesOf(300_000), cuts });
	expect(asked).toHaveLength(4);
	// Each resumes after the bytes that arrived, which may be fewer than were sent, from a fresh URL.
	expect(asked[0]?.headers.range).toBeUndefined();
	const begins = asked.map(({ headers }) =>
		Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0),
	);
	for (const [i, cut] of cuts.entries()) {
		expect(begins[i + 1]).toBeGreaterThan(begins[i] ?? 0);
		expect(begins[i + 1]).toBeLessThanOrEqual((begins[i] ?? 0) + cut);
	}
	expect(new Set(asked.map(({ url }) => url)).size).toBe(4);
});

test.each([
	[
		'with Max Concurrent Requests at 1, which leaves a request for the fresh URL',
		{ file: bytesOf(10_000), cuts: [4_000] },
		{ options: { requestsAtOnce: 1 } },
		[undefined, expect.stringMatching(/^bytes=\d+-$/)],
	],
	[
		'from the beginning from a storage without ranges',
		{ file: bytesOf(50_000), cuts: [20_000], ranges: false },
		{},
		[undefined, 'bytes=20000-', undefined],
	],
	[
		'without a range request from a storage that announces no ranges',
		{ file: bytesOf(50_000), cuts: [20_000], says: 'none' },
		{},
		[undefined, undefined],
	],
])('a file is read %s', async (_, storage, node, ranges) => {
	const asked = await expectWhole(storage, node);
	expect(asked.map(({ headers }) => headers.range)).toEqual(ranges);
});

test('connections that bring much may break any number of times', async () => {
	const cuts = Array<number>(8).fill(1.2 * MiB);
	expect(await expectWhole({ file: bytesOf(10 * MiB), cuts })).toHaveLength(9);
});

test('a download whose connections bring almost nothing is given up', async () => {
	const cuts = Array<number>(50).fill(10);
	const { run, asked } = await withStorage({ file: bytesOf(10_000), cuts });
	const { error } = await run();
	expect(error?.message).toContain('connection');
	expect(asked).toHaveLength(4);
});

test.each([
	['with a tag', true, 50_000],
	['without one, by its length', false, 60_000],
])('a file that has changed is read from the beginning (%s)', async (_, tagged, size) => {
	const storage: Storage = { file: bytesOf(50_000), cuts: [20_000], tagged };
	storage.before = (answer) => {
		if (answer === 1) storage.file = bytesOf(size, 'b');
	};
	await expectWhole(storage);
});

test('a URL that has expired is replaced with a fresh one', async () => {
	const storage = { file: bytesOf(50_000), cuts: [20_000, 10_000], uses: 1 };
	expect(await expectWhole(storage)).toHaveLength(3);
});

test('the error for a rejected rest has the status of the storage', async () => {
	const storage: Storage = { file: bytesOf(50_000), cuts: [20_000] };
	storage.before = (answer) => {
		if (answer === 1) storage.uses = 0;
	};
	const { run, asked } = await withStorage(storage);
	const { error } = await run();
	expect(error?.message).toContain('could not be downloaded (HTTP status 403)');
	expect(asked).toHaveLength(4);
	// The node fetched a fresh URL for each attempt.
	expect(error?.description).toContain('URLs of rendered files expire');
});

test.each([
	['whole', []],
	['from the beginning after a cut at 1,000 bytes', [1_000]],
	['from the beginning after a cut at 20,000 bytes', [20_000]],
])('a file that the storage compresses is read %s', async (_, cuts) => {
	const file = Buffer.from(bytesOf(50_000).toString('hex'));
	await expectWhole({ file, cuts, packed: true });
});
