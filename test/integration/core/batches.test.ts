/** Several items in one request. */
import type { IDataObject } from 'n8n-workflow';
import { batch, items } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const listRequests = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

test('20 items become one batch, 150 become two', async () => {
	const parameters = batch();
	const twenty = await runNode(service, 'VideoGenVideo', parameters, { items: items(20) });
	expect(twenty.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items(20).map((_, item) => ({ item })),
	);
	expect(service.control.jobs('video')).toHaveLength(20);
	const many = await runNode(service, 'VideoGenVideo', parameters, { items: items(150) });
	expect(many.items).toHaveLength(150);
	const sizes = listRequests('POST', '/v3/videos/batches').map(
		({ body }) => (body as { videos: unknown[] }).videos.length,
	);
	expect(sizes).toEqual([20, 100, 50]);
});

test('items with different keys or folders are in different batches', async () => {
	const { items: out } = await runNode(
		service,
		'VideoGenVideo',
		batch({
			options: {
				idempotencyKey: '=order-{{ $json.i % 2 }}',
				folder_id: byId('={{ $json.i < 4 ? "folder_001" : "folder_002" }}'),
			},
		}),
		{ items: items(6) },
	);
	const sent = listRequests('POST', '/v3/videos/batches').map(({ headers, body }) => [
		headers['idempotency-key'],
		(body as IDataObject).folder_id,
		(body as { videos: Array<{ script: string }> }).videos.map(({ script }) => script[13]),
	]);
	expect(sent.sort()).toEqual([
		['order-0', 'folder_001', ['0', '2']],
		['order-0:part:2', 'folder_002', ['4']],
		['order-1', 'folder_001', ['1', '3']],
		['order-1:part:2', 'folder_002', ['5']],
	]);
	// In the order of the items, whatever their batch.
	expect(out.map(({ pairedItem }) => pairedItem)).toEqual(items(6).map((_, item) => ({ item })));
	expect(out.map(({ json }) => json.item_index)).toEqual([0, 0, 1, 1, 0, 0]);
});

describe('a batch that is refused because of one item', () => {
	const withUnknownLook = batch({
		avatar_id: byId('={{ $json.i === 1 ? "look_nope" : "look_001_1" }}'),
	});
	const explanation = 'All 3 items went out in one request, and item 1 is why it is refused.';

	test('has an error with that item and its field', async () => {
		const { error } = await runNode(service, 'VideoGenVideo', withUnknownLook, { items: items(3) });
		expect(error?.message).toMatch(/look_nope does not exist \[item 1\]$/);
		expect(error?.description).toContain(explanation);
		expect(error?.description).toContain('Field: Avatar Look (videos[1].avatar_id)');
	});

	test('has an error item for each item, and creates no job', async () => {
		const { items: out, run } = await runNode(service, 'VideoGenVideo', withUnknownLook, {
			items: items(3),
			node: { onError: 'continueRegularOutput' },
		});
		expect(out.map(({ json }) => json.details)).toEqual(
			out.map(() => expect.objectContaining({ description: expect.stringContaining(explanation) })),
		);
		expect(service.control.jobs('video')).toHaveLength(0);
		expect(run.data.resultData.runData.Node?.[0]?.hints ?? []).toEqual([]);
	});
});

test('the longest possible keys stay unique with the numbers of several batches', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		batch({
			options: { idempotencyKey: '={{ "k".repeat(254) + ($json.i < 120 ? "a" : "b") }}' },
		}),
		{ items: items(240) },
	);
	expect(error).toBeUndefined();
	const keys = listRequests('POST', '/v3/videos/batches').map(({ headers }) =>
		String(headers['idempotency-key']),
	);
	expect(new Set(keys).size).toBe(4);
	expect(Math.max(...keys.map(({ length }) => length))).toBe(255);
	expect(service.control.jobs('video')).toHaveLength(240);
});

describe('a batch with Wait for Completion', () => {
	const waiting = { waitForCompletion: true, options: { title: '=Greeting {{ $json.i }}' } };

	test('of 130 items outputs 130 videos, in order', async () => {
		const { items: out, error } = await runNode(service, 'VideoGenVideo', batch(waiting), {
			items: items(130),
		});
		expect(error).toBeUndefined();
		expect(out).toHaveLength(130);
		out.forEach(({ json, pairedItem }, item) => {
			expect(pairedItem).toEqual({ item });
			expect(json).toMatchObject({
				title: `Greeting ${item}`,
				status: 'completed',
				job: { kind: 'video', id: json.video_id },
			});
		});
		expect(new Set(out.map(({ json }) => json.video_id)).size).toBe(130);
	});

	test('outputs an error item for a failed row; without Continue On Fail, the error shows the row', async () => {
		const failNextVideo = () =>
			service.control.failNext('video', { code: 'render_failed', message: 'No luck' });
		failNextVideo();
		const continued = await runNode(service, 'VideoGenVideo', batch(waiting), {
			items: items(3),
			node: { onError: 'continueRegularOutput' },
		});
		expect(continued.items.map(({ json }) => json.status ?? json.error)).toEqual([
			'The video of this row failed: No luck [item 0]',
			'completed',
			'completed',
		]);
		failNextVideo();
		const { error } = await runNode(service, 'VideoGenVideo', batch(waiting), { items: items(3) });
		expect(error?.message).toBe('The video of this row failed: No luck [item 0]');
		const made = service.control.jobs('video') as Array<{ id: string }>;
		for (const { id } of made.slice(-3)) expect(error?.description).toContain(id);
	});
});

describe('a service with small pages', () => {
	const small = useService({ pageSize: 2 });

	test('matches entries on later pages to their items', async () => {
		const { items: out, error } = await runNode(
			small,
			'VideoGenVideo',
			batch({ waitForCompletion: true, options: { title: '=Greeting {{ $json.i }}' } }),
			{ items: items(5) },
		);
		expect(error).toBeUndefined();
		expect(out.map(({ json }) => json.title)).toEqual(items(5).map((_, i) => `Greeting ${i}`));
	});

	test('Get Batch outputs all entries', async () => {
		const { items: made } = await runNode(small, 'VideoGenVideo', batch(), { items: items(5) });
		const { items: out } = await runNode(small, 'VideoGenVideo', {
			operation: 'getBatch',
			batch_id: String(made[0]?.json.batch_id),
		});
		expect(out).toHaveLength(1);
		expect(out[0]?.json).toMatchObject({ total_items: 5, has_more: false, next_token: null });
		const entries = out[0]?.json.items as IDataObject[];
		expect(entries.map(({ item_index }) => item_index)).toEqual([0, 1, 2, 3, 4]);
	});

	test('outputs the result of each file of an upload batch', async () => {
		const files = items(5).map(({ json }) => ({
			json,
			binary: { data: { data: btoa(`file ${json.i}`), mimeType: 'text/plain', fileName: 'a.txt' } },
		}));
		const parameters = {
			operation: 'uploadBatch',
			binaryPropertyNames: 'data',
			waitForCompletion: true,
		};
		const { items: out } = await runNode(small, 'VideoGenAsset', parameters, { items: files });
		expect(out.map(({ json }) => json.status)).toEqual(Array(5).fill('completed'));
	});
});
