/** Several items in one request. */
import type { IDataObject } from 'n8n-workflow';
import { batch, continueOnFail, createCalls, expectOnePerItem, items } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const small = useService({ pageSize: 2 });
const { createBatch, bodies, posts, jobs, failRenders } = createCalls(service);

const batches = '/v3/videos/batches';
const titled = { waitForCompletion: true, options: { title: '=Greeting {{ $json.i }}' } };

test('20 items become one batch, 150 become two', async () => {
	for (const count of [20, 150]) expectOnePerItem((await createBatch(count)).items, count);
	expect(bodies(batches).map(({ videos }) => (videos as []).length)).toEqual([20, 100, 50]);
	expect(jobs('video')).toHaveLength(170);
});

test('items with different folders are in different batches', async () => {
	const { items: out } = await createBatch(6, {
		options: {
			folder_id: byId('={{ $json.i < 4 ? "folder_001" : "folder_002" }}'),
		},
	});
	const sent = posts(batches).map(({ headers, body }) => [
		String(headers['idempotency-key']),
		(body as IDataObject).folder_id,
		(body as { videos: Array<{ script: string }> }).videos.map(({ script }) => script[13]).sort(),
	]);
	expect(sent.map(([, folder, rows]) => [folder, rows]).sort()).toEqual([
		['folder_001', ['0', '1', '2', '3']],
		['folder_002', ['4', '5']],
	]);
	expect(new Set(sent.map(([key]) => key)).size).toBe(2);
	// In the order of the items, whatever their batch.
	expectOnePerItem(out, 6);
	const indexes = out.map(({ json }) => json.item_index);
	expect([indexes.slice(0, 4).sort(), indexes.slice(4).sort()]).toEqual([
		[0, 1, 2, 3],
		[0, 1],
	]);
});

test.each([
	['130 items in two batches', service, 130],
	['5 items on pages of two entries', small, 5],
])('Wait for Completion outputs each video with its item: %s', async (_, from, count) => {
	const options = { items: items(count) };
	const { items: out } = await runNode(from, 'VideoGenVideo', batch(titled), options);
	expectOnePerItem(out, count);
	for (const [i, { json }] of out.entries()) {
		const job = { kind: 'video', id: json.video_id };
		const title = `Greeting ${i}`;
		expect(json).toMatchObject({ title, status: 'completed', job });
	}
	expect(new Set(out.map(({ json }) => json.video_id)).size).toBe(count);
});

test('a failed row becomes an error item; without Continue On Fail, the error shows every video', async () => {
	failRenders();
	const continued = await createBatch(3, titled, { node: continueOnFail });
	expect(continued.items.map(({ json }) => json.status ?? json.error)).toEqual([
		'The video for this row failed: The face was lost [row 1]',
		'completed',
		'completed',
	]);
	expect(jobs('video').map(({ id }) => ({ kind: 'video', id }))).toContainEqual(
		(continued.items[0]?.json.details as IDataObject).job,
	);
	failRenders();
	const { error } = await createBatch(3, titled);
	expect(error?.message).toBe('The video for this row failed: The face was lost [row 1]');
	for (const { id } of jobs('video').slice(-3)) expect(error?.description).toContain(id);
});

test('Get Batch outputs the entries of all pages', async () => {
	const [made] = (await runNode(small, 'VideoGenVideo', batch(), { items: items(5) })).items;
	const batch_id = String(made?.json.batch_id);
	const { items: out } = await runNode(small, 'VideoGenVideo', { operation: 'getBatch', batch_id });
	const entries = items(5).map((_, item_index) => expect.objectContaining({ item_index }));
	expect(out.map(({ json }) => json)).toEqual([
		expect.objectContaining({ total_items: 5, has_more: false, next_token: null, items: entries }),
	]);
});

test('the result of each file of an upload batch is found on all pages', async () => {
	const files = items(5).map(({ json }) => ({
		json,
		binary: { data: { data: btoa(`file ${json.i}`), mimeType: 'text/plain', fileName: 'a.txt' } },
	}));
	const form = { operation: 'uploadBatch', binaryPropertyNames: 'data', waitForCompletion: true };
	const { items: out } = await runNode(small, 'VideoGenAsset', form, { items: files });
	expect(out.map(({ json }) => json.status)).toEqual(Array(5).fill('completed'));
});
