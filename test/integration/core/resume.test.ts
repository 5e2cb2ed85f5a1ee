/** Downloads whose connection breaks: when they resume, and when they start over. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';
import { byId, readContent, runNode } from '../support/engine';
import { useServers } from '../support/servers';

const listening = useServers();

const MiB = 2 ** 20;

/** Bytes without any repetition. */
function bytesOf(size: number, seed = 'a'): Buffer {
	const parts: Buffer[] = [];
	for (let i = 0; i * 32 < size; i++) {
		parts.push(createHash('sha256').update(`${seed} ${i}`).digest());
	}
	return Buffer.concat(parts).subarray(0, size);
}

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

/** Lets the client read what was sent. Counts turns, because time passes at once on a busy machine. */
async function arrival() {
	for (let turn = 0; turn < 15; turn++) await new Promise((resolve) => setTimeout(resolve, 15));
}

/** A service with one video, whose file is in that storage. */
async function withStorage(storage: Storage) {
	const asked: Array<{ url: string; headers: IncomingHttpHeaders }> = [];
	let addresses = 0;
	let sent = 0;
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
		const tag = `"${createHash('sha256').update(file).digest('hex')}"`;
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
		sent += Math.min(cut ?? rest.length, rest.length);
	});
	const own = await listening(server);
	const run = async (node = {}) =>
		await runNode({ baseUrl: own, apiKey: 'key-of-the-test' }, 'VideoGenVideo', {
			operation: 'download',
			video_id: byId('v'),
			binaryPropertyName: 'data',
			...node,
		} as INodeParameters);
	return { run, asked, sent: () => sent };
}

/** The same numbers in every run, so that a failure can be repeated. */
function random(seed: number) {
	let state = seed;
	return (most: number) => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return 1 + (state % most);
	};
}

test.each([1, 2, 3, 4, 5, 6])(
	'a file is complete after cuts at random places (%i)',
	async (seed) => {
		const next = random(seed);
		const file = bytesOf(300_000);
		const cuts = [next(150_000), next(70_000), next(50_000)];
		const { run, asked } = await withStorage({ file, cuts });
		const { items, error } = await run();
		expect(error).toBeUndefined();
		expect((await readContent(items[0])).equals(file)).toBe(true);
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
	},
);

test('with Requests at Once at 1, the fresh URL can be read during the download', async () => {
	const file = bytesOf(10_000);
	const { run } = await withStorage({ file, cuts: [4_000] });
	const { items, error } = await run({ options: { requestsAtOnce: 1 } });
	expect(error).toBeUndefined();
	expect((await readContent(items[0])).equals(file)).toBe(true);
});

test('connections that bring much may break any number of times', async () => {
	const file = bytesOf(10 * MiB);
	const { run, asked } = await withStorage({ file, cuts: Array<number>(8).fill(1.2 * MiB) });
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect((await readContent(items[0])).equals(file)).toBe(true);
	expect(asked).toHaveLength(9);
});

test('a download whose connections bring almost nothing is given up', async () => {
	const { run, asked } = await withStorage({
		file: bytesOf(10_000),
		cuts: Array<number>(50).fill(10),
	});
	const { error } = await run();
	expect(error?.message).toContain('connection');
	expect(asked).toHaveLength(4);
});

test('a file from a storage without ranges is read from the beginning', async () => {
	const file = bytesOf(50_000);
	const { run, asked, sent } = await withStorage({ file, cuts: [20_000], ranges: false });
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect((await readContent(items[0])).equals(file)).toBe(true);
	expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=20000-', undefined]);
	expect(sent()).toBeGreaterThan(file.length);
});

test('a storage that announces no ranges gets no range request', async () => {
	const file = bytesOf(50_000);
	const { run, asked } = await withStorage({ file, cuts: [20_000], says: 'none' });
	const { items } = await run();
	expect((await readContent(items[0])).equals(file)).toBe(true);
	expect(asked.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
});

test.each([
	['with a tag', true, 50_000],
	['without one, by its length', false, 60_000],
])('a file that has changed is read from the beginning (%s)', async (_, tagged, size) => {
	const fresh = bytesOf(size, 'b');
	const storage: Storage = { file: bytesOf(50_000), cuts: [20_000], tagged };
	storage.before = (answer) => {
		if (answer === 1) storage.file = fresh;
	};
	const { run } = await withStorage(storage);
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect((await readContent(items[0])).equals(fresh)).toBe(true);
});

test('a URL that has expired is replaced with a fresh one', async () => {
	const file = bytesOf(50_000);
	const { run, asked } = await withStorage({ file, cuts: [20_000, 10_000], uses: 1 });
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect((await readContent(items[0])).equals(file)).toBe(true);
	expect(asked).toHaveLength(3);
});

test('the error for a refused rest has the status of the storage', async () => {
	const storage: Storage = { file: bytesOf(50_000), cuts: [20_000] };
	storage.before = (answer) => {
		if (answer === 1) storage.uses = 0;
	};
	const { run, asked } = await withStorage(storage);
	const { error } = await run();
	expect(error?.message).toContain('could not be downloaded (HTTP status 403)');
	expect(asked).toHaveLength(4);
});

test.each([1_000, 20_000])(
	'a compressed file cut after %i bytes is read from the beginning',
	async (cut) => {
		const file = Buffer.from(bytesOf(50_000).toString('hex'));
		const { run } = await withStorage({ file, cuts: [cut], packed: true });
		const { items, error } = await run();
		expect(error).toBeUndefined();
		expect((await readContent(items[0])).equals(file)).toBe(true);
	},
);
