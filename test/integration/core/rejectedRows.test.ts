/** A batch that the service rejects because of some of its rows. */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { batch, createCalls, continueOnFail, items, retryOnFail } from '../support/calls';
import { getErrorDetails } from '../support/core';
import { byId, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { bodies, jobs, failPosts, passPosts } = createCalls(service);

const path = '/v3/videos/batches';
const toErrorOutput = { onError: 'continueErrorOutput' } as const;

/** Rows with a look of their own: that of the function, or a good one. */
const withLooks = (count: number, lookOf: (i: number) => string | undefined) =>
	items(count).map(({ json }, i) => ({ json: { ...json, look: lookOf(i) ?? 'look_001_1' } }));

const run = async (
	rows: INodeExecutionData[],
	options: RunOptions = { node: toErrorOutput },
	more: INodeParameters = {},
) =>
	await runNode(
		service,
		'VideoGenVideo',
		{ ...batch({ avatar_id: byId('={{ $json.look }}') }), ...more },
		{ items: rows, ...options },
	);

const getItemOrigins = (all: INodeExecutionData[]) =>
	all.map(({ pairedItem }) => (pairedItem as { item: number }).item);
const countRows = () => bodies(path).map(({ videos }) => (videos as unknown[]).length);

describe('one bad row', () => {
	test('of five fails alone, with its own number', async () => {
		const rows = withLooks(5, (i) => (i === 2 ? 'look_bad' : undefined));
		const { items: out, errors } = await run(rows);
		expect(getItemOrigins(out)).toEqual([0, 1, 3, 4]);
		expect(errors.map(({ json }) => json.error)).toEqual([
			expect.stringMatching(/look_bad does not exist \[row 3\]$/),
		]);
		expect(getItemOrigins(errors)).toEqual([2]);
		expect(countRows()).toEqual([5, 4]);
		expect(jobs('video')).toHaveLength(4);
	});

	test('of 250 fails alone', async () => {
		const rows = withLooks(250, (i) => (i === 150 ? 'look_bad' : undefined));
		const { items: out, errors } = await run(rows);
		expect(out).toHaveLength(249);
		expect(getItemOrigins(errors)).toEqual([150]);
		expect(jobs('video')).toHaveLength(249);
	});

	test('ends the run if On Error is "Stop Workflow", and nothing is sent after it', async () => {
		const rows = withLooks(5, (i) => (i === 2 ? 'look_bad' : undefined));
		const { error } = await run(rows, {});
		expect(error?.message).toMatch(/look_bad does not exist \[row 3\]$/);
		expect(error?.context?.itemIndex).toBe(2);
		expect(error?.description).toContain('Nothing was created');
		expect(countRows()).toEqual([5]);
		expect(jobs('video')).toHaveLength(0);
	});

	test.each(['videos[1]', 'videos.1.avatar_id', '/videos/1/avatar_id', 'body.videos[1].avatar_id'])(
		'is found in the parameter "%s"',
		async (param) => {
			failPosts(path, { status: 400, code: 'invalid_parameter', message: 'No', param, times: 1 });
			const { items: out, errors } = await run(items(3), { node: toErrorOutput }, goodLook);
			expect([getItemOrigins(out), getItemOrigins(errors)]).toEqual([[0, 2], [1]]);
		},
	);

	test('of a row that fails on its own makes no second batch', async () => {
		const { items: out, errors } = await run(withLooks(1, () => 'look_bad'));
		expect([out, errors.length, countRows()]).toEqual([[], 1, [1]]);
	});
});

const goodLook = { avatar_id: byId('look_001_1') };

test.each([
	['a row that was not sent', 'videos[7].avatar_id'],
	['another field', 'title'],
	['another list', 'scenes[1].id'],
	['payloads', 'payloads[1].avatar_id'],
	['items', 'items[1]'],
	['an index alone', '[1].avatar_id'],
	['the field alone', 'avatar_id'],
	['nothing', null],
])('if a rejection names %s, the rows are sent one by one', async (_, param) => {
	const error = { status: 400, code: 'invalid_parameter', message: 'No', param };
	failPosts(path, { ...error, times: 1 });
	const rows = withLooks(4, (i) => (i === 1 ? 'look_bad' : undefined));
	const { items: out, errors } = await run(rows);
	expect([getItemOrigins(out), getItemOrigins(errors)]).toEqual([[0, 2, 3], [1]]);
	expect(countRows()).toEqual([4, 1, 1, 1, 1]);
	expect(jobs('video')).toHaveLength(3);
});

test('rows that were sent one by one are not sent again by Retry On Fail', async () => {
	failPosts(path, { status: 400, code: 'invalid_parameter', message: 'No', times: 1 });
	const rows = withLooks(3, (i) => (i === 0 ? 'look_bad' : undefined));
	const { items: out, errors } = await run(rows, { node: { ...toErrorOutput, ...retryOnFail } });
	expect([getItemOrigins(out), getItemOrigins(errors)]).toEqual([[1, 2], [0]]);
	expect(jobs('video')).toHaveLength(2);
});

test.each([401, 402, 500])('a rejection of the account (%i) leaves no row out', async (status) => {
	failPosts(path, { status, code: 'x', message: 'No', param: 'videos[1].avatar_id' });
	const { errors } = await run(items(3), { node: toErrorOutput }, goodLook);
	expect(errors).toHaveLength(3);
	expect(JSON.stringify(errors)).not.toContain('the service did not say which');
	expect(new Set(countRows())).toEqual(new Set([3]));
});

describe('several bad rows', () => {
	test.each([
		['spread', (i: number) => i % 25 < 6],
		['next to each other', (i: number) => i >= 120 && i < 180],
	])('60 of 250 with the same look, %s: exactly they fail', async (_, isBad) => {
		const rows = withLooks(250, (i) => (isBad(i) ? 'look_bad' : undefined));
		const { items: out, errors } = await run(rows);
		expect(getItemOrigins(errors)).toEqual(rows.flatMap((__, i) => (isBad(i) ? [i] : [])));
		expect(out).toHaveLength(190);
		expect(jobs('video')).toHaveLength(190);
		for (const { json, pairedItem } of errors) {
			const { item } = pairedItem as { item: number };
			expect(json.error).toMatch(new RegExp(`look_bad does not exist \\[row ${item + 1}\\]$`));
		}
	});

	test('five of 250 with different looks: exactly they fail', async () => {
		const rows = withLooks(250, (i) => (i % 50 === 7 ? `look_bad_${i}` : undefined));
		const { items: out, errors } = await run(rows);
		expect(getItemOrigins(errors)).toEqual([7, 57, 107, 157, 207]);
		expect(out).toHaveLength(245);
	});

	test('after ten rejections, the other rows are sent one by one', async () => {
		const rows = withLooks(20, (i) => (i < 15 ? `look_bad_${i}` : undefined));
		const { items: out, errors } = await run(rows);
		expect(getItemOrigins(errors)).toEqual(rows.slice(0, 15).map((_, i) => i));
		expect(getItemOrigins(out)).toEqual([15, 16, 17, 18, 19]);
		expect(countRows()).toHaveLength(10 + 10);
		expect(jobs('video')).toHaveLength(5);
		for (const [i, { json }] of errors.entries()) {
			expect(json.error).toContain(`look_bad_${i} does not exist`);
		}
	});
});

describe('Retry On Fail', () => {
	test('pays once for the rows that the service accepted', async () => {
		const rows = withLooks(5, (i) => (i === 0 ? 'look_bad' : undefined));
		const { items: out } = await run(rows, { node: { ...continueOnFail, ...retryOnFail } });
		expect(out).toHaveLength(5);
		expect(jobs('video')).toHaveLength(4);
	});

	test('creates the row that was rejected, and no other, when it is good', async () => {
		const param = 'videos[0].avatar_id';
		failPosts(path, { status: 404, code: 'avatar_not_found', message: 'No', param, times: 1 });
		const { items: out } = await run(
			items(5),
			{ node: { ...continueOnFail, ...retryOnFail } },
			{ ...goodLook, script: '={{ $now.toMillis() }} {{ Math.random() }} long enough a text' },
		);
		expect(out.filter(({ json }) => json.error)).toEqual([]);
		expect(jobs('video')).toHaveLength(5);
	});

	test('does not create the rest while On Error is "Stop Workflow"', async () => {
		const rows = withLooks(5, (i) => (i === 2 ? 'look_bad' : undefined));
		const { error } = await run(rows, { node: retryOnFail });
		expect(error?.message).toContain('[row 3]');
		expect(jobs('video')).toHaveLength(0);
	});
});

test('a lost response to the rest of a batch is not paid twice', async () => {
	const rows = withLooks(5, (i) => (i === 2 ? 'look_bad' : undefined));
	passPosts(path, 1);
	failPosts(path, { cut: 'after', times: 1 });
	const { items: out } = await run(rows);
	expect(out).toHaveLength(4);
	expect(jobs('video')).toHaveLength(4);
});

test('files of a batch are uploaded once, whatever the service rejects', async () => {
	const image = { data: btoa('A picture'), mimeType: 'image/png', fileName: 'a.png' };
	const rows = items(4).map(({ json }) => ({ json, binary: { data: image } }));
	const param = 'videos[3].voice_id';
	failPosts(path, { status: 404, code: 'voice_not_found', message: 'No', param, times: 1 });
	const { items: out, errors } = await run(rows, { node: toErrorOutput }, {
		itemIs: 'image',
		image: { __rl: true, mode: 'binary', value: 'data' },
	} as never);
	expect(errors.map(({ json }) => json.error)).toEqual([expect.stringMatching(/\[row 4\]$/)]);
	expect(out).toHaveLength(3);
	expect(service.control.requests({ method: 'POST', path: '/v3/assets' })).toHaveLength(4);
});

describe('a rejected row', () => {
	const source = (i: number) => ({ type: 'url', url: `https://files.example/${i}.mp4` });

	test('of translations is counted by videos, not by languages', async () => {
		const rows = items(4).map((_, i) => ({
			json: {
				video: i === 2 ? { type: 'asset_id', asset_id: 'asset_bad' } : source(i),
				output_languages: ['German', 'French'],
			},
		}));
		const { items: out, errors } = await runNode(
			service,
			'VideoGenTranslation',
			{
				operation: 'createBatch',
				itemIs: 'json',
				translation_json: '={{ $json }}',
				waitForCompletion: false,
			},
			{ items: rows, node: toErrorOutput },
		);
		expect(getItemOrigins(errors)).toEqual([2]);
		expect(getItemOrigins(out)).toEqual([0, 0, 1, 1, 3, 3]);
		expect(jobs('translation')).toHaveLength(6);
	});

	test('of lipsyncs fails alone', async () => {
		const rows = items(4).map((_, i) => ({
			json: {
				video: i === 2 ? { type: 'asset_id', asset_id: 'asset_bad' } : source(i),
				audio: { type: 'url', url: 'https://files.example/a.mp3' },
			},
		}));
		const { items: out, errors } = await runNode(
			service,
			'VideoGenLipsync',
			{
				operation: 'createBatch',
				itemIs: 'json',
				lipsync_json: '={{ $json }}',
				waitForCompletion: false,
			},
			{ items: rows, node: toErrorOutput },
		);
		expect([getItemOrigins(out), getItemOrigins(errors)]).toEqual([[0, 1, 3], [2]]);
		expect(jobs('lipsync')).toHaveLength(3);
	});

	describe('of uploads', () => {
		const uploads = '/v3/assets/direct-uploads/batches';
		const files = items(4).map(({ json }) => ({
			json,
			binary: { data: { data: btoa(`file ${json.i}`), mimeType: 'text/plain', fileName: 'a.txt' } },
		}));
		const upload = async (node: RunOptions['node'], rows: INodeExecutionData[] = files) =>
			await runNode(
				service,
				'VideoGenAsset',
				{ operation: 'uploadBatch', binaryPropertyNames: '*', waitForCompletion: true },
				{ items: rows, node },
			);
		const reject = (times: number) =>
			failPosts(uploads, {
				status: 400,
				code: 'invalid_parameter',
				message: 'No such type',
				param: 'files[2].content_type',
				times,
			});

		test('fails alone', async () => {
			reject(1);
			const { items: out, errors } = await upload(toErrorOutput);
			expect([getItemOrigins(out), getItemOrigins(errors)]).toEqual([[0, 1, 3], [2]]);
			expect(out.map(({ json }) => json.status)).toEqual(Array(3).fill('completed'));
			expect(bodies(uploads).map(({ files: sent }) => (sent as unknown[]).length)).toEqual([4, 3]);
		});

		test('takes all files of its item with it', async () => {
			reject(1);
			const other = { data: btoa('other'), mimeType: 'text/plain', fileName: 'b.txt' };
			const rows = files.map((file) => ({ ...file, binary: { ...file.binary, other } }));
			const { items: out, errors } = await upload(toErrorOutput, rows);
			expect([getItemOrigins(out), getItemOrigins(errors)]).toEqual([[0, 0, 2, 2, 3, 3], [1]]);
		});

		test('ends the run if On Error is "Stop Workflow"', async () => {
			reject(1);
			const { error } = await upload({});
			expect(error?.message).toMatch(/No such type \[row 3\]$/);
			expect(getErrorDetails(error)).toMatchObject({ code: 'invalid_parameter' });
			expect(bodies(uploads)).toHaveLength(1);
		});
	});
});
