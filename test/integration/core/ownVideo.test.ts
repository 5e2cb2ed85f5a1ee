/** A row of a batch only ever gets the video that was made from its own content. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { batch, createCalls, continueOnFail } from '../support/calls';
import {
	addType,
	byId,
	loadNodeType,
	runNode,
	type Result,
	type RunOptions,
} from '../support/engine';
import { loadInNewProcess } from '../support/newProcess';
import { useService } from '../support/service';

/** Restarts n8n: the process forgets what it has sent. */
const restart = () => addType('VideoGenVideo', loadInNewProcess('VideoGenVideo'));
const type = loadNodeType('VideoGenVideo');
afterAll(() => addType('VideoGenVideo', type));

const service = useService();
const { bodies, jobs, failPosts, keys, waitForJobs } = createCalls(service);

const path = '/v3/videos/batches';
/** Where rows are created: in a batch, or one by one. */
const anyPath = /^\/v3\/videos(\/batches)?$/;

/** Rows with these names, which are the titles of their videos. */
const rowsOf = (...names: string[]): INodeExecutionData[] =>
	names.map((name) => ({ json: { name } }));

const run = async (
	rows: INodeExecutionData[],
	options: INodeParameters,
	more: INodeParameters = {},
	runOptions: RunOptions = {},
) =>
	await runNode(
		service,
		'VideoGenVideo',
		batch({
			script: '=Hello {{ $json.name }}, this is a long enough text.',
			waitForCompletion: true,
			...more,
			options: { title: '={{ $json.name }}', ...options },
		}),
		{ items: rows, node: continueOnFail, ...runOptions },
	);

/** Fails if an item has a video of another row. Returns the number of items with a video. */
function countOwnVideos(rows: readonly INodeExecutionData[], { items: out }: Result): number {
	const seen = new Map<unknown, unknown>();
	for (const { json, pairedItem } of out) {
		if (json.error !== undefined) continue;
		const { item } = pairedItem as { item: number };
		expect(json.title).toBe(rows[item]?.json.name);
		expect(seen.get(json.video_id) ?? json.title).toBe(json.title);
		seen.set(json.video_id, json.title);
	}
	return out.filter(({ json }) => json.error === undefined).length;
}

const ways: Record<string, INodeParameters> = {
	execution: { payOncePer: 'execution' },
	'own key of the sheet': { payOncePer: 'ownKey', idempotencyKey: 'sheet-1' },
	'own key of the row': { payOncePer: 'ownKey', idempotencyKey: '=row-{{ $json.name }}' },
	'own key by position': { payOncePer: 'ownKey', idempotencyKey: '=row-{{ $itemIndex }}' },
	'own key without Pay Once Per': { idempotencyKey: 'sheet-2' },
	'same request': { payOncePer: 'request' },
};

const five = ['Anna', 'Ben', 'Cleo', 'Dan', 'Eve'];
const changes: Record<string, string[]> = {
	unchanged: five,
	reversed: [...five].reverse(),
	shortened: five.slice(1),
	'shortened at its end': five.slice(0, 3),
	extended: [...five, 'Fay'],
	'extended at its start': ['Fay', ...five],
	duplicated: [...five, ...five],
	'with another row in its middle': ['Anna', 'Ben', 'Fay', 'Dan', 'Eve'],
	'with a row twice': ['Anna', 'Anna', 'Cleo', 'Dan', 'Eve'],
};

/** The number of videos to pay for if these sheets run one after the other. */
function countToPay(way: string, sheets: string[][]): number {
	if (way === 'execution') return sheets.flat().length;
	const most = new Map<string, number>();
	for (const names of sheets) {
		const counts = new Map<string, number>();
		for (const [i, name] of names.entries()) {
			const row = way === 'own key by position' ? `${i} ${name}` : name;
			counts.set(row, (counts.get(row) ?? 0) + 1);
		}
		for (const [row, count] of counts) most.set(row, Math.max(count, most.get(row) ?? 0));
	}
	return [...most.values()].reduce((sum, count) => sum + count, 0);
}

describe.each(Object.entries(ways))('paid per %s', (way, options) => {
	test.each(
		[false, true].flatMap((restarts) =>
			Object.entries(changes).map(([name, names]) => [name, restarts, names] as const),
		),
	)('a sheet that is %s (n8n has restarted: %s)', async (__, restarts, names) => {
		expect(countOwnVideos(rowsOf(...five), await run(rowsOf(...five), options))).toBe(5);
		if (restarts) restart();
		const rows = rowsOf(...names);
		const result = await run(rows, options);
		expect(countOwnVideos(rows, result)).toBe(names.length);
		expect(new Set(result.items.map(({ json }) => json.video_id)).size).toBe(names.length);
		expect(jobs('video')).toHaveLength(countToPay(way, [five, names]));
	});

	test('a sheet with a sixth row has six videos in time, without waiting', async () => {
		const now = { waitForCompletion: false };
		await run(rowsOf(...five), options, now);
		const rows = rowsOf(...five, 'Fay');
		const { items: out } = await run(rows, options, now);
		expect(out).toHaveLength(6);
		expect(countOwnVideos(rows, await waitForJobs(out))).toBe(6);
	});
});

/** Random numbers from 0 to below N that are the same in every run. */
function createRandom(seed: number) {
	let state = seed;
	return (n: number) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * n);
	};
}

test.each(Array.from({ length: 25 }, (_, i) => i + 1))(
	'property: sheets in any order, of any length, sent in any way (seed %i)',
	async (seed) => {
		const random = createRandom(seed);
		const pool = Array.from({ length: 2 + random(8) }, (_, i) => `Row-${i}`);
		const way = Object.values(ways)[random(Object.keys(ways).length)] ?? {};
		for (let sending = 0; sending < 4; sending++) {
			if (random(3) === 0) restart();
			const count = 1 + random(12);
			const rows = rowsOf(...Array.from({ length: count }, () => pool[random(pool.length)] ?? ''));
			if (random(3) === 0) failPosts(anyPath, { cut: 'after', times: 1 });
			if (random(3) === 0) {
				const param = `videos[${random(count)}].title`;
				failPosts(anyPath, {
					...{ status: 400, code: 'invalid_parameter', message: 'No', param, times: 1 },
				});
			}
			if (random(3) === 0)
				service.control.failNext('video', { code: 'render_failed', message: '' });
			const node = {
				...continueOnFail,
				...(random(2) ? { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 } : {}),
			};
			const result = await run(rows, way, {}, { node });
			expect(result.error).toBeUndefined();
			expect(result.items).toHaveLength(count);
			countOwnVideos(rows, result);
		}
	},
);

describe('rows that are paid for', () => {
	test.each(['same request', 'own key of the sheet', 'own key of the row'])(
		'per %s are not paid again when another row changes',
		async (way) => {
			const names = Array.from({ length: 30 }, (_, i) => `Row-${i}`);
			const look = { avatar_id: byId('={{ $json.name === "bad" ? "look_bad" : "look_001_1" }}') };
			const first = await run(rowsOf(...names.slice(0, 29), 'bad'), ways[way] ?? {}, look);
			expect(first.items.filter(({ json }) => json.error)).toHaveLength(1);
			const rows = rowsOf(...names);
			expect(countOwnVideos(rows, await run(rows, ways[way] ?? {}, look))).toBe(30);
			expect(jobs('video')).toHaveLength(30);
		},
	);

	test.each(['same request', 'own key of the sheet'])(
		'per %s are not paid again in another order',
		async (way) => {
			await run(rowsOf(...five), ways[way] ?? {});
			await run(rowsOf(...five).reverse(), ways[way] ?? {});
			expect(jobs('video')).toHaveLength(5);
		},
	);

	test('are recognized after a restart', async () => {
		const options = { payOncePer: 'request' };
		await run(rowsOf(...five), options);
		restart();
		await run(rowsOf(...five).reverse(), options);
		expect(jobs('video')).toHaveLength(5);
		restart();
		await run(rowsOf(...five, 'Fay'), options);
		expect(jobs('video')).toHaveLength(6);
	});

	test('are created again if the service has lost them', async () => {
		const options = { payOncePer: 'request' };
		await run(rowsOf(...five), options);
		service.control.reset();
		expect(countOwnVideos(rowsOf(...five), await run(rowsOf(...five), options))).toBe(5);
		expect(jobs('video')).toHaveLength(5);
	});

	test('are paid again for another account, node or folder', async () => {
		const options = { payOncePer: 'request' };
		await run(rowsOf(...five), options);
		await run(rowsOf(...five), options, {}, { node: { id: 'another' } });
		await run(rowsOf(...five), { ...options, folder_id: byId('folder_001') });
		expect(jobs('video')).toHaveLength(15);
	});

	test('are not paid again by Retry On Fail', async () => {
		const options = { payOncePer: 'request' };
		await run(rowsOf(...five), options);
		const node = { ...continueOnFail, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
		const param = 'title';
		failPosts('/v3/videos', {
			...{ status: 400, code: 'invalid_parameter', message: 'No', param, times: 1 },
		});
		const rows = rowsOf('Fay', ...five);
		expect(countOwnVideos(rows, await run(rows, options, {}, { node }))).toBe(6);
		expect(jobs('video')).toHaveLength(6);
	});
});

describe('the key of a batch', () => {
	test('found in the log gives its videos', async () => {
		failPosts(path, { cut: 'after', times: 10 });
		await run(rowsOf(...five), { payOncePer: 'execution' });
		const [idempotencyKey = ''] = keys(path) as string[];
		expect(jobs('video')).toHaveLength(5);
		const again = await run(rowsOf(...five), { payOncePer: 'ownKey', idempotencyKey });
		expect(countOwnVideos(rowsOf(...five), again)).toBe(5);
		expect(jobs('video')).toHaveLength(5);
	});

	test('is rejected for other rows', async () => {
		await run(rowsOf(...five), { payOncePer: 'execution' });
		const [idempotencyKey = ''] = keys(path) as string[];
		const other = rowsOf(...five.slice(1));
		const { items: out } = await run(other, { payOncePer: 'ownKey', idempotencyKey });
		expect(out.map(({ json }) => json.error)).toEqual(
			other.map(() => expect.stringContaining('belongs to rows with different content')),
		);
		expect(bodies(path)).toHaveLength(1);
	});
});

describe('the key of a row', () => {
	const loseFirstReply = async (options: INodeParameters = {}) => {
		failPosts('/v3/videos', { cut: 'after', times: 10 });
		await run(rowsOf('Anna'), options);
		const [idempotencyKey = ''] = keys('/v3/videos') as string[];
		expect(jobs('video')).toHaveLength(1);
		return { payOncePer: 'ownKey', idempotencyKey };
	};

	test.each(Object.entries(ways).slice(1))(
		'found in the log gives its video, per %s',
		async (...way) => {
			const found = await loseFirstReply(way[1]);
			const again = await run(rowsOf('Anna'), found);
			expect(countOwnVideos(rowsOf('Anna'), again)).toBe(1);
			expect(jobs('video')).toHaveLength(1);
		},
	);

	test('is rejected for another row', async () => {
		const found = await loseFirstReply(ways['same request']);
		const before = keys('/v3/videos').length;
		const { items: out } = await run(rowsOf('Ben'), found);
		expect(out[0]?.json.error).toContain('belongs to rows with different content');
		expect([keys('/v3/videos').length, keys(path).length]).toEqual([before, 0]);
	});
});

describe('entries of a batch', () => {
	type Entries = (entries: IDataObject[]) => IDataObject[];
	/** Runs three rows, with these entries in each status response. */
	async function runWithEntries(change: Entries) {
		const made = await run(rowsOf('A', 'B', 'C'), {}, { waitForCompletion: false });
		const batchId = String(made.items[0]?.json.batch_id);
		const entries = (jobs('video') as IDataObject[]).map(({ id }, item_index) => ({
			item_index,
			status: 'completed',
			video_id: id,
			error: null,
		}));
		service.control.fail({
			method: 'GET',
			path: `${path}/${batchId}`,
			data: { items: change(entries) },
		});
		const { items: outputs } = await waitForJobs(made.items, {}, { node: continueOnFail });
		expect(outputs).toHaveLength(3);
		for (const { json } of outputs) {
			if (json.error !== undefined) {
				expect(json.error).not.toMatch(/failed/);
				expect(JSON.stringify(json)).toContain(batchId);
			}
		}
		return outputs.map(({ json }) => (json.error === undefined ? json.title : 'unknown'));
	}
	const withIndex = (index: (i: number) => unknown) => (entries: IDataObject[]) =>
		entries.map((entry, i) => ({ ...entry, item_index: index(i) })) as IDataObject[];
	const all = ['A', 'B', 'C'];

	test.each<[string, Entries, unknown[]]>([
		['in order', (entries) => entries, all],
		['in another order', (entries) => [...entries].reverse(), all],
		['with numeric text', withIndex(String), all],
		['with spaces in the text', withIndex((i) => ` ${i} `), all],
		['without an index', withIndex(() => undefined), all],
		['with null', withIndex(() => null), all],
		['with rubbish', withIndex(() => 'x'), all],
		['with one index missing', withIndex((i) => (i === 1 ? null : i)), all],
		['counted from 1', withIndex((i) => i + 1), all],
		[
			'with the ID under another name',
			(entries) =>
				entries.map(({ video_id, ...entry }) => ({ ...entry, id: video_id })) as IDataObject[],
			all,
		],
		['of which one is missing', (entries) => [entries[0]!, entries[2]!], ['A', 'unknown', 'C']],
		[
			'of which one is missing and none has an index',
			(entries) => withIndex(() => null)([entries[0]!, entries[2]!]),
			Array(3).fill('unknown'),
		],
		[
			'of which one is there twice',
			(entries) => [...entries, { ...entries[0]!, video_id: 'v' }],
			['unknown', 'B', 'C'],
		],
		['that have one index', withIndex(() => 1), Array(3).fill('unknown')],
		['with broken numbers', withIndex((i) => i + 0.5), all],
		['with negative indexes', withIndex((i) => i - 5), Array(3).fill('unknown')],
		['with indexes beyond the rows', withIndex((i) => i + 2), Array(3).fill('unknown')],
		[
			'that name one video',
			(entries) => entries.map((entry) => ({ ...entry, video_id: entries[0]!.video_id! })),
			Array(3).fill('unknown'),
		],
		[
			'that name no video',
			(entries) => entries.map((entry) => ({ ...entry, video_id: null })),
			Array(3).fill('unknown'),
		],
		['that are rubbish', () => ['x', 5, null] as never, Array(3).fill('unknown')],
		['that are none', () => [], Array(3).fill('unknown')],
	])('%s', async (_, change, titles) => {
		expect(await runWithEntries(change)).toEqual(titles);
	});
});
