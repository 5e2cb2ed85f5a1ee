import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { FormData, request } from 'undici';
import { avatarVideo, useSimulator } from './support';

const simulator = useSimulator({ jobSeconds: 0 });
const { call } = simulator;

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function upload(parts: Array<[string, string | Blob, string?]>, headers = {}) {
	const form = new FormData();
	for (const [name, value, filename] of parts) {
		if (typeof value === 'string') form.append(name, value);
		else form.append(name, value, filename);
	}
	const response = await request(`${simulator.baseUrl}/v3/assets`, {
		method: 'POST',
		headers: { 'x-api-key': simulator.apiKey, ...headers },
		body: form,
	});
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	return { status: response.statusCode, body: (await response.body.json()) as any };
}

const png = new Blob([Buffer.from('picture bytes')], { type: 'image/png' });

describe('a form upload', () => {
	test('gives an asset that can be read, used and deleted', async () => {
		const { status, body } = await upload([['file', png, 'face.png']]);
		expect(status).toBe(200);
		expect(body.data).toEqual({
			asset_id: expect.any(String),
			url: expect.any(String),
			mime_type: 'image/png',
			size_bytes: 13,
		});
		const served = await request(body.data.url);
		expect(await served.body.text()).toBe('picture bytes');
		const id = body.data.asset_id;
		expect((await call(`GET /v3/assets/${id}`)).body.data).toMatchObject({
			id,
			name: 'face.png',
			type: 'image',
		});
		const video = { ...avatarVideo, background: { type: 'image', asset_id: id } };
		expect((await call('POST /v3/videos', video)).status).toBe(200);
		expect((await call(`DELETE /v3/assets/${id}`)).body.data).toEqual({ id });
		expect((await call(`GET /v3/assets/${id}`)).body.error.code).toBe('asset_not_found');
	});

	test('is recorded with what it carried', async () => {
		await upload([['file', png, 'face.png']]);
		const [received] = simulator.control.requests({ method: 'POST', path: '/v3/assets' });
		expect(received).toMatchObject({
			status: 200,
			body: {
				multipart: [
					{
						name: 'file',
						filename: 'face.png',
						mimetype: 'image/png',
						bytes: 13,
						sha256: hash(Buffer.from('picture bytes')),
					},
				],
			},
		});
	});

	test.each<[string, Array<[string, string | Blob, string?]>, string]>([
		['another part name', [['picture', png, 'face.png']], 'picture'],
		[
			'an extra field',
			[
				['file', png, 'face.png'],
				['title', 'x'],
			],
			'title',
		],
		['no part', [['note', 'x']], 'note'],
		['an empty file', [['file', new Blob([]), 'face.png']], 'file'],
		['an unknown type', [['file', new Blob(['x'], { type: 'text/x-unknown' }), 'a.xyz']], 'file'],
		['33 MB', [['file', new Blob([Buffer.alloc(33 * 1024 * 1024)]), 'a.mp4']], 'file'],
	])('is refused with %s', async (_name, parts, param) => {
		const { status, body } = await upload(parts);
		expect(body.error).toMatchObject({ code: 'invalid_parameter', param });
		expect(status).toBe(400);
	});

	test('is refused as JSON', async () => {
		const reply = await call('POST /v3/assets', { file: 'x' });
		expect(reply.body.error).toMatchObject({ code: 'invalid_parameter', param: 'file' });
	});

	test('honours the idempotency key', async () => {
		const headers = { 'idempotency-key': 'k' };
		const first = await upload([['file', png, 'face.png']], headers);
		const repeat = await upload([['file', png, 'face.png']], headers);
		expect(repeat.body).toEqual(first.body);
	});
});

describe('a direct upload', () => {
	const bytes = Buffer.alloc(3 * 1024 * 1024, 'video');

	async function start(more = {}) {
		const reply = await call('POST /v3/assets/direct-uploads', {
			filename: 'video.mp4',
			content_type: 'video/mp4',
			size_bytes: bytes.length,
			checksum_sha256: hash(bytes),
			...more,
		});
		expect(reply.status).toBe(200);
		return reply.body.data;
	}

	async function put(url: string, headers: Record<string, string>, body: Buffer | Readable) {
		const response = await request(url, { method: 'PUT', headers, body });
		return { status: response.statusCode, text: await response.body.text() };
	}

	const sized = { 'content-length': String(bytes.length) };

	test('goes to the storage and is completed', async () => {
		const ticket = await start();
		expect(ticket).toMatchObject({
			status: 'pending_upload',
			expires_in_seconds: 3600,
			max_bytes: expect.any(Number),
		});
		const complete = () => call(`POST /v3/assets/${ticket.asset_id}/complete`, {});
		const early = await complete();
		expect(early.status).toBe(409);
		expect(early.body.error.code).toBe('resource_not_ready');
		const headers = { ...ticket.upload_headers, ...sized };
		expect((await put(ticket.upload_url, headers, bytes)).status).toBe(200);
		const done = await complete();
		expect(done.body.data).toMatchObject({
			asset_id: ticket.asset_id,
			size_bytes: bytes.length,
			mime_type: 'video/mp4',
			status: 'processing',
		});
		expect((await complete()).body).toEqual(done.body);
		const [received] = simulator.control.requests({ method: 'PUT' });
		expect(received?.body).toEqual({ bytes: bytes.length, sha256: hash(bytes) });
		const served = await request(done.body.data.url);
		expect(hash(Buffer.from(await served.body.arrayBuffer()))).toBe(hash(bytes));
	});

	test.each<[string, (ticket: Record<string, never>) => [string, Record<string, string>], string]>([
		['an API key', () => ['', { 'x-api-key': 'k' }], 'InvalidArgument'],
		['a bearer token', () => ['', { authorization: 'Bearer t' }], 'InvalidArgument'],
		['an altered address', () => ['0', {}], 'SignatureDoesNotMatch'],
		['another content type', () => ['', { 'Content-Type': 'video/webm' }], 'SignatureDoesNotMatch'],
	])('is refused with %s', async (_name, change, code) => {
		const ticket = await start();
		const [suffix, headers] = change(ticket);
		const reply = await put(
			ticket.upload_url + suffix,
			{ ...ticket.upload_headers, ...sized, ...headers },
			bytes,
		);
		expect(reply.status).toBeGreaterThanOrEqual(400);
		expect(reply.text).toContain(code);
	});

	test('is refused without its length, with another length or with other bytes', async () => {
		const ticket = await start();
		const headers = ticket.upload_headers;
		const chunked = await put(ticket.upload_url, headers, Readable.from([bytes]));
		expect(chunked.status).toBe(411);
		const short = await put(ticket.upload_url, headers, bytes.subarray(1));
		expect(short.text).toContain('EntityWrongSize');
		const other = await put(ticket.upload_url, headers, Buffer.alloc(bytes.length));
		expect(other.text).toContain('BadDigest');
		const complete = await call(`POST /v3/assets/${ticket.asset_id}/complete`, {});
		expect(complete.status).toBe(409);
	});

	test('expires', async () => {
		const ticket = await start();
		simulator.control.clock.advance(3601);
		const late = await put(ticket.upload_url, { ...ticket.upload_headers, ...sized }, bytes);
		expect(late.status).toBe(403);
	});

	test('streams more than is ever held', async () => {
		const size = 300 * 1024 * 1024;
		const piece = Buffer.alloc(1024 * 1024, 'x');
		const ticket = await start({ size_bytes: size, checksum_sha256: undefined });
		const before = process.memoryUsage().rss;
		const body = Readable.from(
			(function* () {
				for (let at = 0; at < size; at += piece.length) yield piece;
			})(),
		);
		const headers = { ...ticket.upload_headers, 'content-length': String(size) };
		expect((await put(ticket.upload_url, headers, body)).status).toBe(200);
		expect(process.memoryUsage().rss - before).toBeLessThan(220 * 1024 * 1024);
		expect((await call(`POST /v3/assets/${ticket.asset_id}/complete`, {})).status).toBe(200);
	});

	test('comes in batches', async () => {
		const file = { filename: 'a.png', content_type: 'image/png', size_bytes: 4 };
		const created = await call('POST /v3/assets/direct-uploads/batches', { files: [file, file] });
		const { batch_id, items } = created.body.data;
		expect(items).toHaveLength(2);
		await put(items[0].upload_url, items[0].upload_headers, Buffer.from('abcd'));
		const complete = await call('POST /v3/assets/complete/batches', { batch_id });
		expect(complete.status).toBe(202);
		const read = await call(`GET /v3/assets/batches/${batch_id}`);
		expect(read.body.data).toMatchObject({
			status: 'completed',
			counts_by_status: { completed: 1, failed: 1 },
		});
		expect(read.body.data.items[0].video_id).toBe(items[0].asset_id);
	});
});

test('searches and lists', async () => {
	await upload([['file', png, 'face.png']]);
	const list = await call('GET /v3/assets?username=demo');
	expect(list.body.data).toHaveLength(1);
	const found = await call('GET /v3/assets/search?query=tree&type=icon');
	expect(found.body.data).toHaveLength(20);
	expect(found.body.has_more).toBe(true);
	expect((await call('GET /v3/assets/search?query=tree')).body.error.param).toBe('type');
});
