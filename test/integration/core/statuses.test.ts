/** Get Statuses: one request for the IDs of many items, with each result on its item. */
import type { IDataObject } from 'n8n-workflow';
import { batch, items as rows } from '../support/calls';
import { runForItems, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const lookups = (path: string) => service.control.requests({ method: 'GET', path });
const readIds = ({ query }: { query: unknown }, field: string) =>
	String((query as IDataObject)[field]).split(',');

test.each([
	['VideoGenVideo', 'video', '/v3/videos/statuses', 'video_ids', 'video_id'],
	[
		'VideoGenTranslation',
		'translation',
		'/v3/video-translations/statuses',
		'video_translation_ids',
		'video_translation_id',
	],
	['VideoGenLipsync', 'lipsync', '/v3/lipsyncs/statuses', 'lipsync_ids', 'lipsync_id'],
	['VideoGenAsset', 'asset', '/v3/assets/statuses', 'asset_ids', 'asset_id'],
])(
	'%s sends three requests for 250 items, and pairs each result with its item',
	async (node, resource, path, field, id) => {
		const { items, error } = await runNode(
			service,
			node,
			{ resource, operation: 'getStatuses', [field]: '=id_{{ $json.i }}' },
			{ items: rows(250) },
		);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(250);
		items.forEach((item, i) => {
			expect(item.json).toMatchObject({ [id]: `id_${i}`, status: 'not_found' });
			expect(item.pairedItem).toEqual({ item: i });
		});
		const sent = lookups(path).map((request) => readIds(request, field).length);
		expect(sent.sort((a, b) => a - b)).toEqual([50, 100, 100]);
	},
);

test('lists, single IDs and batches of several items share a request', async () => {
	const made = await runForItems(service, 'VideoGenVideo', batch(), { items: rows(2) });
	const { batch_id } = made[0]?.json ?? {};
	const { items, error } = await runNode(
		service,
		'VideoGenVideo',
		{
			operation: 'getStatuses',
			video_ids: '={{ $json.ids }}',
			batch_ids: '={{ $json.batch ?? "" }}',
		},
		{
			items: [
				{ json: { ids: ['a', 'b'] } },
				{ json: { ids: '', batch: batch_id } },
				{ json: { ids: 'b, c' } },
			],
		},
	);
	expect(error).toBeUndefined();
	expect(lookups('/v3/videos/statuses').map(({ query }) => query)).toEqual([
		{ video_ids: 'a,b,c', batch_ids: batch_id },
	]);
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
		['c', { item: 2 }],
	]);
});

test('a response that is no list is an error', async () => {
	service.control.fail({ path: /statuses/, status: 200, body: { data: { video_id: 'a' } } });
	const { error } = await runNode(service, 'VideoGenVideo', {
		operation: 'getStatuses',
		video_ids: 'a',
	});
	expect(error?.message).toMatch(/list/);
});
