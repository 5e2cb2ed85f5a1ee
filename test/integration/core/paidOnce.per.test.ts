/** The option "Pay Once Per": per execution, per same request, per key of the user's. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { createCalls, getValues, retryOnFail, speakingImage, waiting } from '../support/calls';
import { createFileItem, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';
import { runAfter } from '../support/time';

const service = useService();
const { createVideos, createBatch, ...calls } = createCalls(service);
const { bodies, posts, keys, jobs, failPosts, passPosts, failRenders } = calls;

const videos = '/v3/videos';
const batches = '/v3/videos/batches';
const assets = '/v3/assets';
const changing = '={{ $now.toMillis() }} {{ Math.random() }} and this is a long enough text.';

const perExecution = { payOncePer: 'execution' };
const perRequest = { payOncePer: 'request' };
const ownKey = (idempotencyKey: string) => ({ payOncePer: 'ownKey', idempotencyKey });
const perKey = ownKey('=order-{{ $json.i }}');
const ways = { execution: perExecution, request: perRequest, 'own key': perKey };

describe('a second execution of the workflow', () => {
	const executeTwice = async (options: INodeParameters, change: INodeParameters = {}) => {
		const one = await createVideos(3, { options });
		const two = await createVideos(3, { ...change, options });
		expect(one.error ?? two.error).toBeUndefined();
		return [one, two].map(({ items }) => getValues(items, 'video_id'));
	};

	test('creates all again per execution', async () => {
		await executeTwice(perExecution);
		expect(jobs('video')).toHaveLength(6);
	});

	test('costs nothing per same request, and creates again what has changed', async () => {
		const [one, two] = await executeTwice(perRequest);
		expect(two).toEqual(one);
		expect(jobs('video')).toHaveLength(3);
		const script = '={{ $json.i === 1 ? "Other words" : "Hello number " + $json.i }}, a long text.';
		await executeTwice(perRequest, { script });
		expect(jobs('video')).toHaveLength(6);
	});

	test('costs nothing per own key, whatever has changed', async () => {
		const [one, two] = await executeTwice(perKey, { script: 'Another text, long enough too.' });
		expect(two).toEqual(one);
		expect(jobs('video')).toHaveLength(3);
	});

	test('of another workflow or node shares nothing per same request', async () => {
		const others: RunOptions[] = [{}, { workflowId: 'another' }, { node: { id: 'another' } }];
		for (const other of others) await createVideos(1, { options: perRequest }, other);
		expect(jobs('video')).toHaveLength(3);
	});

	test('costs nothing for the same rows of a sheet', async () => {
		await createBatch(150, { options: perRequest });
		await createBatch(150, { options: perRequest });
		expect([jobs('video').length, posts(batches).length]).toEqual([150, 0]);
	});
});

test.each([
	['request', 1, perRequest],
	['execution', 2, perExecution],
])('two items with the same content, paid per %s, make %i', async (_, count, options) => {
	const { items: out } = await createVideos(2, { script: 'Hello, a long enough text.', options });
	expect(jobs('video')).toHaveLength(count);
	expect(new Set(getValues(out, 'video_id')).size).toBe(count);
});

describe('Retry On Fail, with values that change from attempt to attempt', () => {
	test.each([
		...Object.entries(ways),
		['own key that changes', ownKey('=k{{ $now.toMillis() }}{{ $json.i }}')] as const,
	])('pays once per %s', async (_, options) => {
		const form = { script: changing, options: { ...options, requestsAtOnce: 1 } };
		const isBatch = options === perExecution;
		for (const [path, create] of [
			[videos, createVideos],
			[isBatch ? batches : videos, createBatch],
		] as const) {
			service.control.reset();
			passPosts(path, 2);
			failPosts(path, { status: 402, times: 1 });
			const { error } = await create(5, form, { node: retryOnFail });
			expect(error).toBeUndefined();
			expect(jobs('video')).toHaveLength(5);
		}
	});

	test.each(Object.entries(ways))('makes a failed render again per %s', async (_, options) => {
		failRenders();
		const form = { script: changing, ...waiting(options) };
		const { error } = await createVideos(3, form, { node: retryOnFail });
		expect(error).toBeUndefined();
		expect(jobs('video')).toHaveLength(4);
	});

	test('numbers an own key of the full length for what is made again', async () => {
		failRenders();
		const key = 'k'.repeat(255);
		const { error } = await createVideos(1, waiting(ownKey(key)), { node: retryOnFail });
		expect(error).toBeUndefined();
		expect(keys(videos)).toEqual([key, expect.stringMatching(/:again:1$/)]);
	});
});

describe('a file that a create needs is uploaded', () => {
	const picture = async (content: string | Buffer = 'A picture') => ({
		...(await createFileItem(Buffer.from(content), 'image/png')),
		json: { i: 0 },
	});
	const create = async (
		options: INodeParameters,
		item: INodeExecutionData,
		more: RunOptions = {},
	) => {
		const form = speakingImage({ options });
		const { error } = await runNode(service, 'VideoGenVideo', form, { items: [item], ...more });
		expect(error).toBeUndefined();
	};
	const countKeys = (path: string) => new Set(keys(path)).size;

	test.each([
		['execution', 2, perExecution],
		// The next key follows within the same try, which knows the asset.
		['request', 1, perRequest],
		['own key', 1, perKey],
	])('with one key, however often n8n tries, per %s', async (_, count, options) => {
		failPosts(videos, { status: 402, times: 1 });
		await create(options, await picture(), { node: retryOnFail });
		expect(keys(assets)).toHaveLength(count);
		expect(countKeys(assets)).toBe(1);
		expect(jobs('video')).toHaveLength(1);
		expect(bodies(videos)[0]?.image).toMatchObject({ type: 'asset_id' });
	});

	test.each([
		['execution', 2, perExecution],
		['request', 1, perRequest],
		['own key', 1, perKey],
	])('by two executions per %s: %i asset and video', async (_, count, options) => {
		await create(options, await picture());
		await create(options, await picture());
		expect(countKeys(assets)).toBe(count);
		expect(jobs('video')).toHaveLength(count);
	});

	test.each([
		['request', 2, perRequest],
		['own key', 1, perKey],
	])('again if it is another one, per %s', async (_, count, options) => {
		await create(options, await picture('one'));
		await create(options, await picture('two'));
		expect(countKeys(assets)).toBe(2);
		expect(jobs('video')).toHaveLength(count);
	});

	test('per own key, a row of another sheet gets its own file', async () => {
		const row = async (i: number, content: string) => ({
			...(await picture(content)),
			json: { i },
		});
		const createRows = async (rows: INodeExecutionData[]) => {
			const form = {
				...speakingImage({ options: perKey }),
				operation: 'createBatch',
				itemIs: 'image',
			};
			const { error } = await runNode(service, 'VideoGenVideo', form, { items: rows });
			expect(error).toBeUndefined();
		};
		await createRows([await row(1, 'one'), await row(2, 'two')]);
		await createRows([await row(1, 'one'), await row(3, 'three')]);
		const images = bodies(videos).map(({ image }) => (image as IDataObject).asset_id);
		expect(images).toHaveLength(4);
		expect(new Set(images).size).toBe(3);
	});

	test('per own key, two files of one item are two assets', async () => {
		const item = await picture('one');
		const audio = (await picture('two')).binary.data;
		const file = (value: string) => ({ __rl: true as const, mode: 'binary', value });
		const form = { operation: 'create', mode: 'speed', waitForCompletion: false, options: perKey };
		await runNode(
			service,
			'VideoGenLipsync',
			{ ...form, video: file('data'), audio: file('audio') },
			{ items: [{ ...item, binary: { ...item.binary, audio } }] },
		);
		expect(keys(assets)).toHaveLength(2);
		expect(countKeys(assets)).toBe(2);
	});

	test.each([
		['request', perRequest],
		['own key', perKey],
	])('and a large one leads to one video per %s', async (_, options) => {
		// No form takes it: it goes straight to storage.
		const large = await picture(Buffer.alloc(33_000_000, 1));
		await create(options, large);
		await create(options, large);
		expect(jobs('video')).toHaveLength(1);
		// Whether the service takes a key here is not known: it is sent, and the same one.
		const sent = keys('/v3/assets/direct-uploads');
		expect(sent).toEqual([expect.any(String), sent[0]]);
	});
});

test('rows that were paid for earlier do not hold back new ones while their videos are made', async () => {
	service.control.holdJobs(true);
	const options = { payOncePer: 'request' };
	await createBatch(2, { options });
	let createdWhileHeld = 0;
	runAfter(120, () => {
		createdWhileHeld = jobs('video').length;
		service.control.holdJobs(false);
	});
	const { error, items: out } = await createBatch(4, { options, waitForCompletion: true });
	expect(error).toBeUndefined();
	expect(out).toHaveLength(4);
	expect([createdWhileHeld, jobs('video').length]).toEqual([4, 4]);
});

test('two executions at the same time pay once for the rows that they share', async () => {
	const script = (first: number) =>
		`=Row {{ $json.i + ${first} }} of the sheet, a long enough text.`;
	const runs = [0, 5].map(
		async (first) => await createBatch(10, { script: script(first), options: perRequest }),
	);
	const results = await Promise.all(runs);
	for (const { error, items } of results) {
		expect(error).toBeUndefined();
		expect(items).toHaveLength(10);
	}
	expect(jobs('video')).toHaveLength(15);
});
