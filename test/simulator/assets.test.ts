import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Agent, FormData, request } from 'undici';
import { avatarVideo, useSimulator } from './support';

const simulator = useSimulator({ jobSeconds: 0 });
const { call, data, rejection } = simulator;

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

// n8n's engine in the same process brings another undici, whose agent does not know this FormData.
const dispatcher = new Agent();
afterAll(async () => await dispatcher.close());

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
		dispatcher,
	});
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	return { status: response.statusCode, body: (await response.body.json()) as any };
}

const png = new Blob([Buffer.from('picture bytes')], { type: 'image/png' });

describe('a form upload', () => {
	test('creates an asset that can be read, used and deleted, and is recorded', async () => {
		const { status, body } = await upload([['file', png, 'face.png']]);
		const { asset_id: id, url } = body.data;
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ mime_type: 'image/png', size_bytes: 13 });
		expect(await (await request(url)).body.text()).toBe('picture bytes');
		const asset = await data(`GET /v3/assets/${id}`);
		expect(asset).toMatchObject({ id, name: 'face.png', type: 'image' });
		const video = { ...avatarVideo, background: { type: 'image', asset_id: id } };
		await data('POST /v3/videos', video);
		expect(await data(`DELETE /v3/assets/${id}`)).toEqual({ id });
		const gone = [404, 'asset_not_found', null];
		expect(await rejection(`GET /v3/assets/${id}`)).toEqual(gone);
		const sha256 = hash(Buffer.from('picture bytes'));
		const part = { name: 'file', filename: 'face.png', mimetype: 'image/png', bytes: 13, sha256 };
		const [received] = simulator.control.requests({ method: 'POST', path: '/v3/assets' });
		expect(received).toMatchObject({ status: 200, body: { multipart: [part] } });
	});

	test.each<[string, Array<[string, string | Blob, string?]>, string]>([
		['another part name', [['picture', png, 'face.png']], 'picture'],
		['no part', [['note', 'x']], 'note'],
		['an empty file', [['file', new Blob([]), 'face.png']], 'file'],
		['an unknown type', [['file', new Blob(['x'], { type: 'text/x-unknown' }), 'a.xyz']], 'file'],
		['33 MB', [['file', new Blob([Buffer.alloc(33 * 1024 * 1024)]), 'a.mp4']], 'file'],
	])('is rejected with %s', async (_name, parts, param) => {
		const { status, body } = await upload(parts);
		expect(body.error).toMatchObject({ code: 'invalid_parameter', param });
		expect(status).toBe(400);
	});

	test('honors the idempotency key', async () => {
		const headers = { 'idempotency-key': 'k' };
		const first = await upload([['file', png, 'face.png']], headers);
		const repeat = await upload([['file', png, 'face.png']], headers);
		expect(repeat.body).toEqual(first.body);
	});
});

describe('a direct upload', () => {
	const bytes = Buffer.alloc(3 * 1024 * 1024, 'video');

	function start(more = {}) {
		return data('POST /v3/assets/direct-uploads', {
			filename: 'video.mp4',
			content_type: 'video/mp4',
			size_bytes: bytes.length,
			checksum_sha256: hash(bytes),
			...more,
		});
	}

	async function put(url: string, headers: Record<string, string>, body: Buffer | Readable) {
		const response = await request(url, { method: 'PUT', headers, body });
		return { status: response.statusCode, text: await response.body.text() };
	}

	const sized = { 'content-length': String(bytes.length) };

	test('is stored and then completed', async () => {
		const ticket = await start();
		expect(ticket).toMatchObject({ status: 'pending_upload', expires_in_seconds: 3600 });
		const complete = `POST /v3/assets/${ticket.asset_id}/complete`;
		expect(await rejection(complete, {})).toEqual([409, 'resource_not_ready', null]);
		const headers = { ...ticket.upload_headers, ...sized };
		expect((await put(ticket.upload_url, headers, bytes)).status).toBe(200);
		const done = await data(complete, {});
		expect(done).toMatchObject({ size_bytes: bytes.length, status: 'processing' });
		expect(await data(complete, {})).toEqual(done);
		const [received] = simulator.control.requests({ method: 'PUT' });
		expect(received?.body).toEqual({ bytes: bytes.length, sha256: hash(bytes) });
		const served = await request(done.url);
		expect(hash(Buffer.from(await served.body.arrayBuffer()))).toBe(hash(bytes));
	});

	test.each<[string, string, Record<string, string>, string]>([
		['an API key', '', { 'x-api-key': 'k' }, 'InvalidArgument'],
		['a bearer token', '', { authorization: 'Bearer t' }, 'InvalidArgument'],
		['a changed URL', '0', {}, 'SignatureDoesNotMatch'],
		['another content type', '', { 'Content-Type': 'video/webm' }, 'SignatureDoesNotMatch'],
	])('is rejected with %s', async (_name, suffix, more, code) => {
		const ticket = await start();
		const headers = { ...ticket.upload_headers, ...sized, ...more };
		const reply = await put(ticket.upload_url + suffix, headers, bytes);
		expect(reply.status).toBeGreaterThanOrEqual(400);
		expect(reply.text).toContain(code);
	});

	test('is rejected without its length, with another length or with other bytes', async () => {
		const { upload_url: url, upload_headers: headers, asset_id } = await start();
		expect((await put(url, headers, Readable.from([bytes]))).status).toBe(411);
		expect((await put(url, headers, bytes.subarray(1))).text).toContain('EntityWrongSize');
		expect((await put(url, headers, Buffer.alloc(bytes.length))).text).toContain('BadDigest');
		expect((await rejection(`POST /v3/assets/${asset_id}/complete`, {}))[0]).toBe(409);
	});
});

test('are searched by words, type and scope', async () => {
	await upload([['file', png, 'face.png']]);
	const { body } = await call('GET /v3/assets/search?query=tree&type=icon');
	expect([body.data.length, body.has_more]).toEqual([20, true]);
	const own = await data('GET /v3/assets/search?query=face&type=image&scope=personal');
	expect(own).toHaveLength(1);
});
