/** Get Statuses: one request for the IDs of many items, with each result on its item. */
import type { IDataObject } from 'n8n-workflow';
import { createCalls, expectOnePerItem, items as rows } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createBatch } = createCalls(service);

const readQueries = (path: string) =>
	service.control.requests({ method: 'GET', path }).map(({ query }) => query as IDataObject);

test.each([
	['VideoGenVideo', 'video', '/v3/videos/statuses', 'video_id'],
	['VideoGenTranslation', 'translation', '/v3/video-translations/statuses', 'video_translation_id'],
	['VideoGenLipsync', 'lipsync', '/v3/lipsyncs/statuses', 'lipsync_id'],
	['VideoGenAsset', 'asset', '/v3/assets/statuses', 'asset_id'],
])(
	'%s sends three requests for 250 items, and pairs each result with its item',
	async (node, resource, path, id) => {
		const form = { resource, operation: 'getStatuses', [`${id}s`]: '=id_{{ $json.i }}' };
		const { items } = await runNode(service, node, form, { items: rows(250) });
		expectOnePerItem(items, 250);
		expect(items.map(({ json }) => json)).toMatchObject(
			rows(250).map((_, i) => ({ [id]: `id_${i}`, status: 'not_found' })),
		);
		const sent = readQueries(path).map((query) => String(query[`${id}s`]).split(',').length);
		expect(sent.sort((a, b) => a - b)).toEqual([50, 100, 100]);
	},
);

test('lists, single IDs and batches of several items share a request', async () => {
	const [made] = (await createBatch(2)).items;
	const batch_id = made?.json.batch_id;
	const form = {
		operation: 'getStatuses',
		video_ids: '={{ $json.ids }}',
		batch_ids: '={{ $json.batch ?? "" }}',
	};
	const { items } = await runNode(service, 'VideoGenVideo', form, {
		items: [
			{ json: { ids: ['a', 'b'] } },
			{ json: { ids: '', batch: batch_id } },
			{ json: { ids: '["b", 3]' } },
		],
	});
	expect(readQueries('/v3/videos/statuses')).toEqual([{ video_ids: 'a,b,3', batch_ids: batch_id }]);
	expect(
		items.map(({ json, pairedItem }) => [
			json.batch_id ? json.item_index : json.video_id,
			pairedItem,
		]),
	).toEqual([
		['a', { item: 0 }],
		['b', { item: 0 }],
		[0, { item: 1 }],
		[1, { item: 1 }],
		['b', { item: 2 }],
		['3', { item: 2 }],
	]);
});

test('a response that is no list is an error', async () => {
	service.control.fail({ path: /statuses/, status: 200, body: { data: { video_id: 'a' } } });
	const form = { operation: 'getStatuses', video_ids: 'a' };
	expect((await runNode(service, 'VideoGenVideo', form)).error?.message).toMatch(/list/);
});
