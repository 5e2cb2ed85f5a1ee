/** Uploads of files: as forms, directly and in batches. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	byId,
	readContent,
	createFileItem,
	runNode,
	storeBinary,
	type RunOptions,
} from '../support/engine';
import { getErrorDetails } from '../support/core';
import { useService } from '../support/service';
import { waitFor } from '../support/time';

const service = useService();

const sent = (method: string, path: string | RegExp) => service.control.requests({ method, path });
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const uploaded = async (items: INodeExecutionData[], options: INodeParameters = {}) =>
	await runNode(
		service,
		'VideoGenAsset',
		{ operation: 'upload', binaryPropertyName: 'data', options },
		{ items },
	);

const forms = () => sent('POST', '/v3/assets');
const openings = () => sent('POST', '/v3/assets/direct-uploads');
const puts = () => sent('PUT', /^\/storage\//);
const partOf = (request: { body?: unknown } | undefined) =>
	((request?.body as { multipart: IDataObject[] }).multipart ?? [])[0];

describe('a file', () => {
	test.each([
		['image/png', 'image/png'],
		['image/jpg', 'image/jpeg'],
		['video/mp4', 'video/mp4'],
		['video/webm', 'video/webm'],
		['audio/mpeg', 'audio/mpeg'],
		['audio/x-wav', 'audio/wav'],
		['application/pdf', 'application/pdf'],
		['application/x-subrip', 'application/x-subrip'],
		['IMAGE/PNG; charset=binary', 'image/png'],
	])('of type %s is uploaded as a form', async (mimeType, mimetype) => {
		const bytes = Buffer.from(`bytes of ${mimeType}`);
		const { items } = await uploaded([await createFileItem(bytes, mimeType, 'größe "1".x')]);
		expect(items[0]?.json).toMatchObject({ asset_id: expect.any(String), mime_type: mimetype });
		expect(partOf(forms()[0])).toMatchObject({ mimetype, sha256: hash(bytes) });
		expect(openings()).toHaveLength(0);
	});

	test.each(['application/zip', 'text/plain', 'application/octet-stream', 'font/ttf'])(
		'of type %s is uploaded directly',
		async (mimeType) => {
			const bytes = Buffer.from(`bytes of ${mimeType}`);
			const { items } = await uploaded([await createFileItem(bytes, mimeType, 'a.x')]);
			expect(items[0]?.json).toMatchObject({ asset_id: expect.any(String), mime_type: mimeType });
			expect(forms()).toHaveLength(0);
			expect(openings()[0]?.body).toEqual({
				filename: 'a.x',
				content_type: mimeType,
				size_bytes: bytes.length,
			});
			const [put] = puts();
			expect(put?.body).toEqual({ bytes: bytes.length, sha256: hash(bytes) });
			expect(put?.headers['x-api-key']).toBeUndefined();
		},
	);

	test('is uploaded with its checksum if the key depends on its content', async () => {
		const bytes = Buffer.from('bytes');
		const options = { payOncePer: 'request' };
		await uploaded([await createFileItem(bytes, 'application/zip', 'a.x')], options);
		expect(openings()[0]?.body).toMatchObject({ checksum_sha256: hash(bytes) });
		expect(openings()[0]?.headers['idempotency-key']).toMatch(/^n8n-/);
	});

	test('of 32 MB is uploaded as a form, and one byte more directly', async () => {
		const most = 32_000_000;
		const { items } = await uploaded([
			await createFileItem(Buffer.alloc(most, 'a'), 'video/mp4'),
			await createFileItem(Buffer.alloc(most + 1, 'b'), 'video/mp4'),
		]);
		expect(items.map(({ json }) => json.size_bytes)).toEqual([most, most + 1]);
		expect(forms().map((request) => partOf(request)?.bytes)).toEqual([most]);
		expect(puts().map(({ body }) => (body as IDataObject).bytes)).toEqual([most + 1]);
	});

	test('uses the name and type of the options, or else the name of its field', async () => {
		await uploaded([await createFileItem(Buffer.from('x'), 'application/octet-stream')], {
			fileName: 'real.png',
			mimeType: 'image/png',
		});
		const binary = { data: { data: 'eA==', mimeType: 'image/png', fileExtension: 'png' } };
		await uploaded([{ json: {}, binary }]);
		expect(forms().map(partOf)).toMatchObject([
			{ filename: 'real.png', mimetype: 'image/png' },
			{ filename: 'data.png', bytes: 1 },
		]);
	});

	test('in another field is an error that names the fields of the item', async () => {
		const file = { data: 'eA==', mimeType: 'image/png' };
		const names = Array.from({ length: 12 }, (_, i) => `file_${i}`);
		const binary = Object.fromEntries(names.map((name) => [name, file]));
		const { error } = await uploaded([{ json: {}, binary }]);
		expect(error?.message).toMatch(
			/^The item has no file in the binary field "data": its binary fields are "file_0", .*"file_9" and others$/,
		);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('that does not exist, or has an invalid type, is an error before anything is sent', async () => {
		const { error } = await uploaded([{ json: {} }]);
		expect(error?.message).toBe('The item has no file in the binary field "data": it has no files');
		const png = await createFileItem(Buffer.from('x'), 'image/png');
		const invalid = await uploaded([png], { mimeType: 'png' });
		expect(invalid.error?.message).toMatch(/^"Media Type" must be a media type such as image\/png/);
		expect(service.control.requests()).toEqual([]);
	});
});

describe('a form', () => {
	const bytes = Buffer.alloc(100_000, 'picture');

	const keys = () => forms().map(({ headers }) => headers['idempotency-key']);

	test('is retried completely, with the same key, and creates one asset', async () => {
		for (const fault of [{ status: 503 }, { cut: 'before' }, { cut: 'after' }] as const) {
			service.control.fail({ method: 'POST', path: '/v3/assets', times: 1, ...fault });
		}
		const { items } = await uploaded([await createFileItem(bytes, 'image/png')]);
		expect(forms()).toHaveLength(4);
		expect(new Set(keys()).size).toBe(1);
		expect(partOf(forms()[2])).toMatchObject({ bytes: bytes.length, sha256: hash(bytes) });
		const all = await runNode(service, 'VideoGenAsset', { operation: 'getMany', returnAll: true });
		expect(all.items.map(({ json }) => json.asset_id)).toEqual([items[0]?.json.asset_id]);
	});

	test('has a different key for each item, and the same keys when n8n retries the node', async () => {
		const a = await storeBinary(bytes, 'a.png', 'image/png');
		const item = { json: {}, binary: { a } };
		const parameters = {
			operation: 'upload',
			binaryPropertyName: 'a',
			options: { requestsAtOnce: 1 },
		};
		const options = { items: [item, item], node: { retryOnFail: true, waitBetweenTries: 1 } };
		service.control.fail({ method: 'POST', path: '/v3/assets', delayMs: 1, times: 1 });
		service.control.fail({ method: 'POST', path: '/v3/assets', status: 402, times: 1 });
		await runNode(service, 'VideoGenAsset', parameters, options);
		expect(keys()).toHaveLength(4);
		expect(new Set(keys()).size).toBe(2);
	});

	test('paid once per same request, has a key that depends on its content', async () => {
		const one = await createFileItem(bytes, 'image/png');
		const two = await createFileItem(Buffer.from('other'), 'image/png');
		for (const item of [one, two, one, two]) await uploaded([item], { payOncePer: 'request' });
		const [first, second, ...again] = keys();
		expect(first).not.toBe(second);
		expect(again).toEqual([first, second]);
	});

	test("sends the user's own key and additional fields", async () => {
		const { error } = await uploaded([await createFileItem(bytes, 'image/png')], {
			idempotencyKey: 'order-7',
			additionalBodyFields: '{"folder_id": "f", "tags": ["x"]}',
		});
		expect(keys()).toEqual(['order-7']);
		// The simulator rejects additional parts, but records them.
		expect(error?.message).toContain('folder_id: is no part of this form');
		expect((forms()[0]?.body as IDataObject).multipart).toMatchObject([
			{ name: 'folder_id', value: 'f' },
			{ name: 'tags', value: '["x"]' },
			{ name: 'file', bytes: bytes.length },
		]);
	});

	test('waits while other uploads use the memory for forms', async () => {
		service.control.fail({ method: 'POST', path: '/v3/assets', times: 2, delayMs: 500 });
		const large = await createFileItem(Buffer.alloc(31_000_000, 'a'), 'video/mp4');
		const uploads = uploaded([large, large, large]);
		// Two of them fit. The third waits for a response, although five may run at the same time.
		await waitFor(() => forms().length === 3);
		expect(forms().filter(({ status }) => status !== null)).not.toEqual([]);
		expect((await uploads).items).toHaveLength(3);
	});
});

describe('a direct upload', () => {
	const bytes = Buffer.alloc(3_000_000, 'film');
	const zip = async () => await createFileItem(bytes, 'application/zip', 'all.zip');

	test('is completed after the storage has it: the response "not ready" is retried', async () => {
		service.control.fail({
			path: /\/complete$/,
			status: 409,
			code: 'resource_not_ready',
			times: 2,
		});
		const { items, error } = await uploaded([await zip()]);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ size_bytes: bytes.length, status: 'processing' });
		expect(sent('POST', /\/complete$/)).toHaveLength(3);
	});

	test('is streamed again when the connection breaks or the storage is busy', async () => {
		service.control.fail({ method: 'PUT', path: /storage/, cut: 'before', times: 1 });
		service.control.fail({ method: 'PUT', path: /storage/, status: 503, times: 1 });
		const { error } = await uploaded([await zip()]);
		expect(error).toBeUndefined();
		expect(puts()).toHaveLength(3);
		expect(puts().at(-1)?.body).toEqual({ bytes: bytes.length, sha256: hash(bytes) });
	});

	test('that the storage permanently rejects is not retried', async () => {
		service.control.fail({ method: 'PUT', path: /storage/, status: 403 });
		const { error } = await uploaded([await zip()]);
		expect(error?.message).toContain('The service\'s storage did not accept "all.zip"');
		expect(puts()).toHaveLength(1);
		expect(sent('POST', /\/complete$/)).toHaveLength(0);
	});

	test('of 33 MB that is sent twice with one Custom Key is one asset', async () => {
		const megabyte = Buffer.alloc(1_000_000, 'film');
		const upload = async (idempotencyKey: string) => {
			const content = Readable.from(Array(33).fill(megabyte));
			const film = await createFileItem(content, 'video/mp4', 'long.mp4');
			return (await uploaded([film], { idempotencyKey })).items[0]?.json;
		};
		const once = await upload('order-7');
		expect(once).toMatchObject({ asset_id: expect.any(String), size_bytes: 33_000_000 });
		expect((await upload('order-7'))?.asset_id).toBe(once?.asset_id);
		expect((await upload('order-8'))?.asset_id).not.toBe(once?.asset_id);
		expect(openings().map(({ headers }) => headers['idempotency-key'])).toEqual([
			...['order-7', 'order-7', 'order-8'],
		]);
	});

	test('that is already stored is completed, although its upload URL is no longer valid', async () => {
		const options = { idempotencyKey: 'order-7' };
		const once = await uploaded([await zip()], options);
		service.control.fail({ method: 'PUT', path: /storage/, status: 403 });
		const again = await uploaded([await zip()], options);
		expect(again.error).toBeUndefined();
		expect(again.items[0]?.json.asset_id).toBe(once.items[0]?.json.asset_id);
	});

	test('above the size limit of the service does not start', async () => {
		service.control.fail({
			path: '/v3/assets/direct-uploads',
			body: {
				data: { asset_id: 'a', upload_url: `${service.baseUrl}/storage/a`, max_bytes: 1000 },
			},
		});
		const { error } = await uploaded([await zip()]);
		expect(error?.message).toContain('"all.zip" has 3000000 bytes, more than the 1000');
		expect(getErrorDetails(error).code).toBe('file_too_large');
		expect(puts()).toHaveLength(0);
	});

	test('sends additional fields', async () => {
		service.control.fail({ path: '/v3/assets/direct-uploads', status: 400, code: 'x' });
		await uploaded([await zip()], { additionalBodyFields: '{"folder_id": "f"}' });
		expect(openings()[0]?.body).toMatchObject({ filename: 'all.zip', folder_id: 'f' });
	});

	test('step by step: an invalid checksum is rejected before it is sent', async () => {
		const { error } = await runNode(service, 'VideoGenAsset', {
			operation: 'completeDirectUpload',
			asset_id: byId('asset_1'),
			options: { checksum_sha256: 'abc' },
		});
		expect(error?.message).toMatch(/^"SHA-256 Checksum" must be a SHA-256 hash in hex/);
		expect(service.control.requests()).toHaveLength(0);
	});
});

describe('a batch', () => {
	const opened = () => sent('POST', '/v3/assets/direct-uploads/batches');
	const filesOf = (request: { body?: unknown } | undefined) =>
		(request?.body as { files: IDataObject[] }).files;

	const many = async (count: number, fields: readonly string[] = ['data']) =>
		await Promise.all(
			Array.from({ length: count }, async (_, i) => ({
				json: { i },
				binary: Object.fromEntries(
					await Promise.all(
						fields.map(async (field) => [
							field,
							await storeBinary(Buffer.from(`${field} ${i}`), `${field}-${i}.txt`, 'text/plain'),
						]),
					),
				),
			})),
		);

	const batch = async (
		items: INodeExecutionData[],
		names = 'data',
		options: INodeParameters = {},
		more: RunOptions = {},
	) =>
		await runNode(
			service,
			'VideoGenAsset',
			{
				...{ operation: 'uploadBatch', binaryPropertyNames: names, waitForCompletion: true },
				options: { pollInterval: 1, ...options },
			},
			{ items, ...more },
		);

	test('of 25 files is one request and 25 items, each paired with its input item', async () => {
		const { items } = await batch(await many(25), 'data', { title: 'All' });
		expect(opened().map(filesOf)).toMatchObject([{ length: 25 }]);
		expect(opened()[0]?.body).toMatchObject({ title: 'All' });
		expect(puts()).toHaveLength(25);
		const batch_id = items[0]?.json.batch_id;
		const completions = sent('POST', '/v3/assets/complete/batches').map(({ body }) => body);
		expect(completions).toEqual([{ batch_id }]);
		expect(items).toMatchObject(
			Array.from({ length: 25 }, (_, item) => ({
				json: { filename: `data-${item}.txt`, status: 'completed', job: { kind: 'asset_batch' } },
				pairedItem: { item },
			})),
		);
		const back = await runNode(service, 'VideoGenAsset', {
			...{ operation: 'download', binaryPropertyName: 'data' },
			asset_id: byId(items[17]?.json.asset_id),
		});
		expect((await readContent(back.items[0])).toString()).toBe('data 17');
	});

	test('uploads several fields of an item, and more than 100 files in several requests', async () => {
		const { items, error } = await batch(await many(60, ['a', 'b']), 'a, b');
		expect(error).toBeUndefined();
		expect(opened().map((request) => filesOf(request).length)).toEqual([100, 20]);
		expect(new Set(items.map(({ json }) => json.batch_id)).size).toBe(2);
		expect(items.map(({ json, pairedItem }) => [json.filename, json.status, pairedItem])).toEqual(
			Array.from({ length: 60 }, (_, item) => [
				[`a-${item}.txt`, 'completed', { item }],
				[`b-${item}.txt`, 'completed', { item }],
			]).flat(),
		);
	});

	test('uploads all fields of every item for the name *', async () => {
		const inputs = [...(await many(1, ['a', 'b'])), { json: {} }, ...(await many(1, ['c']))];
		const { items } = await batch(inputs, '*');
		expect(items.map(({ json, pairedItem }) => [json.filename, pairedItem])).toEqual([
			['a-0.txt', { item: 0 }],
			['b-0.txt', { item: 0 }],
			['c-0.txt', { item: 2 }],
		]);
	});

	test('without files, or with an item without one, is rejected before anything is sent', async () => {
		const none = await batch([{ json: {} }, { json: {} }], '*');
		expect(none.error?.message).toContain('None of the items has a file');
		const { error } = await batch([...(await many(1)), { json: {} }]);
		expect(error?.message).toBe(
			'The item has no file in the binary field "data": it has no files [row 2]',
		);
		const misspelled = await batch(await many(1, ['front', 'back']), 'data');
		expect(misspelled.error?.message).toBe(
			'The item has no file in the binary field "data": its binary fields are "front", "back"; enter * for all of them',
		);
		expect(service.control.requests()).toEqual([]);
	});

	test('has a key of its own for the same Custom Key and the same files', async () => {
		await batch(await many(3), 'data', { idempotencyKey: 'holiday' });
		await batch(await many(3), 'data', { idempotencyKey: 'holiday' });
		await batch((await many(3)).reverse(), 'data', { idempotencyKey: 'holiday' });
		await batch(await many(51, ['a', 'b']), 'a,b', { idempotencyKey: 'holiday' });
		const keys = opened().map(({ headers }) => headers['idempotency-key']);
		expect(keys[1]).toBe(keys[0]);
		expect(new Set(keys).size).toBe(4);
	});

	test('is the same batch when n8n retries the node', async () => {
		const items = await many(3);
		service.control.fail({ method: 'PUT', path: /storage/, status: 403, times: 1 });
		const repeated = await batch(items, 'data', {}, { node: { retryOnFail: true } });
		expect(repeated.error).toBeUndefined();
		expect(repeated.items.map(({ json }) => json.status)).toEqual(Array(3).fill('completed'));
		expect(opened()).toHaveLength(1);
	});

	test('names the batch in the error when the storage rejects a file', async () => {
		service.control.fail({ method: 'PUT', path: /storage/, status: 403, times: 1 });
		const { error } = await batch(await many(3));
		expect(error?.message).toContain("The service's storage did not accept");
		expect(error?.description).toMatch(/batch \w+/);
	});

	test('reports which file failed', async () => {
		const entries = [
			{ item_index: 1, status: 'failed', video_id: null, error: { code: 'broken' } },
			{ item_index: 0, status: 'completed', video_id: 'x', error: null },
		];
		const body = { data: { status: 'completed', items: entries } };
		service.control.fail({ path: /\/v3\/assets\/batches\//, body });
		const { items } = await batch(await many(2));
		expect(items.map(({ json }) => [json.status, json.error])).toEqual([
			['completed', undefined],
			['failed', { code: 'broken' }],
		]);
	});
});
