/** Items that go together as one request. */
import type { IDataObject } from 'n8n-workflow';
import { batch, items } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

test('20 items become one batch, 150 become two', async () => {
	const parameters = batch();
	const twenty = await runNode(service, 'VideoGenVideo', parameters, { items: items(20) });
	expect(twenty.items).toHaveLength(1);
	expect(twenty.items[0]?.pairedItem).toEqual(items(20).map((_, item) => ({ item })));
	expect(service.control.jobs('video')).toHaveLength(20);
	const many = await runNode(service, 'VideoGenVideo', parameters, { items: items(150) });
	expect(many.items).toHaveLength(2);
	const sizes = received('POST', '/v3/videos/batches').map(
		({ body }) => (body as { videos: unknown[] }).videos.length,
	);
	expect(sizes).toEqual([20, 100, 50]);
});

test('items of a batch that differ in key or folder go into batches of their own', async () => {
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
	const sent = received('POST', '/v3/videos/batches').map(({ headers, body }) => [
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
	expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
		[{ item: 0 }, { item: 2 }],
		[{ item: 1 }, { item: 3 }],
		{ item: 4 },
		{ item: 5 },
	]);
});

test('one key for 250 items of batches is numbered: each batch has its own, the same at every run', async () => {
	const parameters = batch({ options: { idempotencyKey: 'order-1' } });
	const keys = () =>
		received('POST', '/v3/videos/batches').map(({ headers, body }) => [
			headers['idempotency-key'],
			(body as { videos: unknown[] }).videos.length,
		]);
	const once = await runNode(service, 'VideoGenVideo', parameters, { items: items(250) });
	expect(once.items).toHaveLength(3);
	const expected = [
		['order-1', 100],
		['order-1:part:2', 100],
		['order-1:part:3', 50],
	];
	expect(keys().sort()).toEqual(expected);
	const again = await runNode(service, 'VideoGenVideo', parameters, { items: items(250) });
	expect(again.items.map(({ json }) => json.batch_id)).toEqual(
		once.items.map(({ json }) => json.batch_id),
	);
	expect(service.control.jobs('video')).toHaveLength(250);
});

test('the longest key is one for several batches too, and two such keys do not meet', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		batch({
			options: { idempotencyKey: '={{ "k".repeat(254) + ($json.i < 120 ? "a" : "b") }}' },
		}),
		{ items: items(240) },
	);
	expect(error).toBeUndefined();
	const keys = received('POST', '/v3/videos/batches').map(({ headers }) =>
		String(headers['idempotency-key']),
	);
	expect(new Set(keys).size).toBe(4);
	expect(Math.max(...keys.map(({ length }) => length))).toBe(255);
	expect(service.control.jobs('video')).toHaveLength(240);
});
