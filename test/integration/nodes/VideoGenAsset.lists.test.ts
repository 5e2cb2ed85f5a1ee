/** Lists of assets, their statuses, and assets that cannot be downloaded. */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { loadListPage } from '../support/contexts';
import { byId, createFileItem, loadNodeType, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const sent = (method: string, path: string | RegExp) => service.control.requests({ method, path });

const uploaded = async (items: INodeExecutionData[], options: INodeParameters = {}) =>
	await runNode(
		service,
		'VideoGenAsset',
		{ operation: 'upload', binaryPropertyName: 'data', options },
		{ items },
	);

describe('the list of assets', () => {
	const upload = async (count: number) =>
		await uploaded(
			await Promise.all(
				Array.from({ length: count }, async (_, i) => {
					const [type, name] = i % 2 ? ['image/png', 'photo'] : ['video/mp4', 'film'];
					return await createFileItem(Buffer.from(`${i}`), type ?? '', `${name} ${i}.x`);
				}),
			),
		);

	test('returns all pages up to the limit, also for another user', async () => {
		await upload(7);
		const all = await runNode(service, 'VideoGenAsset', { operation: 'getMany', returnAll: true });
		expect(all.items).toHaveLength(7);
		const some = await runNode(service, 'VideoGenAsset', {
			operation: 'getMany',
			returnAll: false,
			limit: 5,
			options: { username: 'jane', folder_id: 'f' },
		});
		expect(some.items).toHaveLength(0);
		expect(sent('GET', '/v3/assets').at(-1)?.query).toEqual({
			username: 'jane',
			folder_id: 'f',
			limit: '5',
		});
		expect(sent('GET', '/v3/users/me')).toHaveLength(1);
	});

	type Search = 'searchAssets' | 'searchImages';
	const searchList = async (method: Search, filter?: string) => {
		const node = method === 'searchAssets' ? 'VideoGenAsset' : 'VideoGenVideo';
		return (await loadListPage(service, node, method, { filter })).results;
	};

	test('shows names and kinds, newest first', async () => {
		await upload(3);
		const entries = await searchList('searchAssets');
		expect(entries.map(({ name }) => name).sort()).toEqual([
			'film 0.x (video)',
			'film 2.x (video)',
			'photo 1.x (image)',
		]);
		expect(sent('GET', '/v3/assets')[0]?.query).toEqual({ username: 'demo', limit: '100' });
		expect((await searchList('searchAssets', ' FILM 2')).map(({ name }) => name)).toEqual([
			'film 2.x (video)',
		]);
		expect(sent('GET', '/v3/assets/search')).toHaveLength(0);
	});

	test('shows only pictures for an image field', async () => {
		await upload(4);
		const names = (await searchList('searchImages')).map(({ name }) => name).sort();
		expect(names).toEqual(['photo 1.x (image)', 'photo 3.x (image)']);
		expect(sent('GET', '/v3/assets/search')).toHaveLength(0);
	});

	test.each([
		['VideoGenClipping', 'create', ['video'], ['v', 'unknown']],
		['VideoGenTranslation', 'create', ['video'], ['v', 'unknown']],
		['VideoGenVoice', 'clone', ['audio'], ['a', 'unknown']],
	])('%s shows only files that its field accepts', async (folder, operation, names, expected) => {
		const data = [
			...['video', 'audio', 'image', 'font'].map((type) => ({ id: type[0], name: type, type })),
			{ id: 'unknown', name: 'unknown' },
		];
		service.control.fail({ path: '/v3/assets', body: { data, has_more: false } });
		const { description } = loadNodeType(folder);
		const fields = description.properties.filter(
			({ name, type, displayOptions }) =>
				names.includes(name) &&
				type === 'resourceLocator' &&
				(displayOptions?.show?.operation ?? [operation]).includes(operation),
		);
		expect(fields).toHaveLength(1);
		const list = fields[0]?.modes?.find(({ name }) => name === 'list');
		const method = list?.typeOptions?.searchListMethod ?? '';
		const { results } = await loadListPage(service, folder, method, {});
		expect(results.map(({ value }) => value)).toEqual(expected);
		expect(list?.hint !== undefined).toBe(names.includes('video'));
	});

	test('a scene shows images and videos', async () => {
		const data = ['video', 'audio', 'image'].map((type) => ({ id: type, name: type, type }));
		service.control.fail({ path: '/v3/assets', body: { data, has_more: false } });
		const { results } = await loadListPage(service, 'VideoGenVideo', 'searchImagesAndVideos', {});
		expect(results.map(({ value }) => value)).toEqual(['video', 'image']);
	});

	test('continues until a page has a picture, and requests the user name only once', async () => {
		const responses = [
			{ data: [{ id: 'v', name: 'v', type: 'video' }], has_more: true, next_token: 't' },
			{ data: [{ id: 'p', name: 'p', type: 'image' }], has_more: false, next_token: null },
		];
		for (const body of responses) service.control.fail({ path: '/v3/assets', times: 1, body });
		expect((await searchList('searchImages')).map(({ value }) => value)).toEqual(['p']);
		expect(sent('GET', '/v3/assets')).toHaveLength(2);
		expect(sent('GET', '/v3/users/me')).toHaveLength(1);
	});

	test('adds the search results of the service, without duplicates', async () => {
		const { items } = await upload(2);
		const id = String(items[1]?.json.asset_id);
		service.control.fail({
			path: '/v3/assets/search',
			body: {
				data: [
					{ id, url: 'https://files.example/1.png', width: 1, height: 1 },
					{ id: 'asset_9', url: 'https://files.example/9.png', width: 640, height: 480 },
				],
			},
		});
		const entries = await searchList('searchImages', ' photo ');
		expect(entries).toMatchObject([
			{ name: 'photo 1.x (image)', value: id },
			{ name: 'asset_9 (640 × 480)', value: 'asset_9', url: 'https://files.example/9.png' },
		]);
		expect(sent('GET', '/v3/assets/search')[0]?.query).toEqual({
			query: 'photo',
			type: 'image',
			scope: 'personal',
			limit: '50',
		});
	});

	test('sets an asset ID in a file field', async () => {
		const { items } = await upload(2);
		const id = String(items[1]?.json.asset_id);
		const { error } = await runNode(service, 'VideoGenVideo', {
			...{ operation: 'createImage', speechFrom: 'text', waitForCompletion: false },
			...{ script: 'Hello there, this is a long enough text.', voice_id: byId('voice_001') },
			image: { __rl: true, mode: 'list', value: id, cachedResultName: 'photo' },
		});
		expect(error).toBeUndefined();
		expect(sent('POST', '/v3/videos')[0]?.body).toMatchObject({
			image: { type: 'asset_id', asset_id: id },
		});
	});
});

describe('statuses', () => {
	test.each([
		['no ID', {}, /^"Asset IDs" or "Batch IDs" is required/],
		[
			'more than 100 IDs',
			{ asset_ids: Array(60).fill('a').join(','), batch_ids: Array(41).fill('b').join(',') },
			/^"Asset IDs" and "Batch IDs" must have at most 100 IDs in total, but have 101/,
		],
	])('of %s are rejected before anything is sent', async (_, parameters, message) => {
		const { error } = await runNode(service, 'VideoGenAsset', {
			operation: 'getStatuses',
			...parameters,
		});
		expect(error?.message).toMatch(message);
		expect(service.control.requests()).toHaveLength(0);
	});
});

test('an asset without a URL cannot be downloaded, and the error explains why', async () => {
	const target = await runNode(service, 'VideoGenAsset', {
		operation: 'createDirectUpload',
		filename: 'a.mp4',
		content_type: 'video/mp4',
		size_bytes: 5,
	});
	const id = String(target.items[0]?.json.asset_id);
	const { error } = await runNode(service, 'VideoGenAsset', {
		operation: 'download',
		asset_id: byId(id),
		binaryPropertyName: 'data',
	});
	expect(error?.message).toContain(`Asset ${id} has no file`);
	expect(error?.description).toContain('upload may not be complete');
});
