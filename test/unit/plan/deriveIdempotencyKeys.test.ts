/** Which idempotency key each create has. */
import type { IDataObject } from 'n8n-workflow';
import {
	createIdempotencyKeyProvider,
	getIdempotencyKeyInputs,
	getItemOrigins,
	isGeneratedBatchKey,
	isGeneratedKeyForOtherRows,
	isGeneratedKeyForRows,
	findOrCreateRecord,
} from '../../../nodes/core/plan/deriveIdempotencyKeys';
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';

const place = {
	...{ node: ['n8n', 'workflow', 'node'], secret: 'secret', origins: [] },
	...{ creates: {}, failures: {} },
} as unknown as NodeRun;
const elsewhere = { ...place, secret: 'other secret' };
const inOtherNode = { ...place, node: ['n8n', 'workflow', 'other'] };
const line = 'POST /things';
const createKeys = (values: IDataObject, more: Partial<NodeRun> = {}, at = place) =>
	createIdempotencyKeyProvider({ ...at, creates: {}, ...more }, {
		items: [{ item: 0, values }],
		values,
	} as unknown as PlannedRequest);

test('the key depends on the place of the create, not on its content', () => {
	const key = createKeys({}).getKey({ line, content: 1 });
	expect(createKeys({}).getKey({ line, content: 2 })).toBe(key);
	expect(createKeys({ payOncePer: 'execution' }).getKey({ line, content: 1 })).toBe(key);
	expect(createKeys({}, {}, elsewhere).getKey({ line, content: 1 })).not.toBe(key);
	expect(createKeys({}, {}, inOtherNode).getKey({ line, content: 1 })).not.toBe(key);
	expect(createKeys({}).getKey({ line: 'POST /others', content: 1 })).not.toBe(key);
	expect(createKeys({}).getKey({ line, name: 'request 2', content: 1 })).not.toBe(key);
	// 48 hex digits: with 8, two of 100,000 requests would probably share a key, and thus a video.
	expect(key).toMatch(/^n8n-[0-9a-f]{48}$/);
});

test('for Unique Request, the key depends on the node, the request line and the content only', () => {
	const same = { payOncePer: 'request' };
	const key = createKeys(same).getKey({ line, content: 1 });
	expect(createKeys(same, {}, elsewhere).getKey({ line, content: 1 })).toBe(key);
	expect(createKeys(same).getKey({ line, content: 2 })).not.toBe(key);
	expect(createKeys(same).getKey({ line: 'POST /others', content: 1 })).not.toBe(key);
	expect(createKeys(same, {}, inOtherNode).getKey({ line, content: 1 })).not.toBe(key);
});

test('a user-supplied key is sent unchanged, and begins the keys of its files', () => {
	const own = createKeys({ idempotencyKey: 'order-7' });
	expect(own.getKey({ line, content: 1 })).toBe('order-7');
	expect(own.getKey({ line, name: 'file 0 data', content: 1 })).toMatch(/^order-7:[0-9a-f]{12}$/);
	const [a, b] = ['a', 'b'].map((end) =>
		createKeys({ idempotencyKey: 'k'.repeat(254) + end }).getKey({ line, name: 'f', content: 1 }),
	);
	expect([a, a === b]).toEqual([expect.stringMatching(/^[0-9a-f]{64}:[0-9a-f]{12}$/), false]);
	expect(
		createKeys({ payOncePer: 'execution', idempotencyKey: 'order-7' }).getKey({ line, content: 1 }),
	).toBe(createKeys({}).getKey({ line, content: 1 }));
});

test.each<IDataObject>([
	{},
	{ payOncePer: 'execution', idempotencyKey: 'k' },
	{ payOncePer: 'request' },
	{ idempotencyKey: 'k' },
])('a create keeps its first key, and counts failures and rejections: %j', (values) => {
	const creates: NodeRun['creates'] = {};
	const key = createKeys(values, { creates }).getKey({ line, content: 1 });
	expect(createKeys(values, { creates }).getKey({ line, content: 2 })).toBe(key);
	const failures = { 0: 1 };
	const next = () => createKeys(values, { creates, failures }).getKey({ line, content: 3 });
	expect(next()).toBe(`${key}:again:1`);
	for (const record of Object.values(creates)) record.rejections = 2;
	expect(next()).toBe(`${key}:again:3`);
});

test('the failures of all rows count in the key of a batch, but not in the keys of files', () => {
	const items = [
		{ item: 0, values: {} },
		{ item: 1, values: {} },
	] as const;
	const creates: NodeRun['creates'] = {};
	const request = { items: [...items], values: {} } as unknown as PlannedRequest;
	const getKeys = (failures: Record<string, number>) => {
		const keys = createIdempotencyKeyProvider({ ...place, creates, failures }, request);
		const rows = ['a', 'b'];
		return [
			{ line, content: 1, rows },
			{ line, name: 'file', content: 1 },
		].map(keys.getKey);
	};
	const [batch, file] = getKeys({});
	expect(getKeys({ 0: 1, 1: 2, 2: 4 })).toStrictEqual([`${batch}:again:3`, file]);
});

test.each([
	[{ idempotencyKey: 'k' }, true],
	[{ payOncePer: 'request' }, true],
	[{ payOncePer: 'execution' }, false],
	[{}, false],
])('with the values %j, a key outlives the execution: %j', (values, outlivesExecution) => {
	expect(createKeys(values).outlivesExecution).toBe(outlivesExecution);
});

describe('the record of a create request', () => {
	const resource = { name: 'Thing', value: 'thing', operations: [] };
	const operation = { value: 'a', name: 'A', action: 'A', description: '', request: 'POST /a' };
	const identity = { ...place, origins: ['1.0', '2.7', '2.8'] };
	const createRequest = (items: number[], more: Partial<PlannedRequest> = {}): PlannedRequest => ({
		...{ resource, operation, values: {} },
		items: items.map((item) => ({ item, values: {} })) as PlannedRequest['items'],
		...more,
	});
	const creates: NodeRun['creates'] = {};
	const find = (request: PlannedRequest, number = 1, at: NodeRun = identity) =>
		findOrCreateRecord({ ...at, creates }, request, getIdempotencyKeyInputs(request, number));
	const sentGroup = { origins: ['2.6', '2.7'], sizes: [1, 1], items: [undefined, 1] };

	test('has the origins of its items, and nothing else at first', () => {
		const record = find(createRequest([1, 2]));
		expect(record).toStrictEqual({ origins: ['2.7', '2.8'], rejections: 0, sent: [] });
		expect(find(createRequest([1], { sentGroup })).origins).toStrictEqual(['2.6', '2.7']);
		expect(find(createRequest([1]), 1, place).origins).toStrictEqual(['1']);
		expect(Object.keys(creates)[0]).toMatch(/^n8n-[0-9a-f]{48}$/);
	});

	test('depends on the origins of the items, not on their current indexes or values', () => {
		const record = find(createRequest([1, 2], { values: { a: 1 } }));
		const moved = { ...place, origins: ['2.7', '2.8'] };
		expect(find(createRequest([0, 1]), 1, moved)).toBe(record);
		expect(getItemOrigins(moved, createRequest([1, 0]))).toStrictEqual(['2.8', '2.7']);
		expect(getItemOrigins(place, createRequest([1, 0]))).toStrictEqual(['1', '0']);
		const all = { ...place, origins: ['2.6', '2.7'] };
		expect(find(createRequest([1], { sentGroup }))).toBe(find(createRequest([0, 1]), 1, all));
	});

	test('is different for every other request', () => {
		const request = createRequest([1]);
		const records = [
			find(request),
			find(request, 2),
			find({ ...request, operation: { ...operation, request: 'POST /b' } }),
			find(createRequest([1, 2])),
			find(createRequest([2])),
			find(request, 1, { ...identity, secret: 'other secret' }),
			find(request, 1, { ...identity, node: ['other'] }),
			find(request, 1, { ...identity, origins: ['1.0', '3.7', '2.8'] }),
		];
		expect(new Set(records).size).toBe(records.length);
	});

	test('has its first key', () => {
		const request = createRequest([1]);
		const keys = createIdempotencyKeyProvider({ ...identity, creates }, request);
		const key = keys.getKey({ line: 'POST /a', content: {} });
		expect(find(request).key).toBe(key);
	});
});

describe('the key of a batch', () => {
	const rows = ['a', 'b'];
	const reversed = [...rows].reverse();
	const keyOf = (values: IDataObject, some: typeof rows, at = place) =>
		createKeys(values, {}, at).getKey({ line, content: 1, rows: some });
	const ways = [{}, { payOncePer: 'request' }, { idempotencyKey: 'order-7' }];

	test.each(ways)('shows the content of its rows: %j', (values) => {
		const key = keyOf(values, rows);
		expect(isGeneratedBatchKey(key)).toBe(true);
		expect([
			isGeneratedKeyForRows(key, rows),
			isGeneratedKeyForRows(`${key}:again:1`, rows),
		]).toEqual([true, true]);
		for (const other of [reversed, rows.slice(1), [...rows, ...rows], []]) {
			expect(isGeneratedKeyForRows(key, other)).toBe(false);
			expect(keyOf(values, other)).not.toBe(key);
		}
	});

	test('depends on the execution unless the user chose otherwise', () => {
		expect(ways.map((values) => keyOf(values, rows) === keyOf(values, rows, elsewhere))).toEqual([
			false,
			true,
			true,
		]);
	});

	test('depends on the node and the request line for Unique Request', () => {
		const same = { payOncePer: 'request' };
		const key = keyOf(same, rows);
		expect(keyOf(same, rows, inOtherNode)).not.toBe(key);
		expect(createKeys(same).getKey({ line: 'POST /others', content: 1, rows })).not.toBe(key);
	});

	test('depends on the user-supplied key', () => {
		expect(keyOf({ idempotencyKey: 'x' }, rows)).not.toBe(keyOf({ idempotencyKey: 'y' }, rows));
	});

	test('from the log is sent unchanged, for the same rows only', () => {
		const key = keyOf({}, rows);
		expect(keyOf({ idempotencyKey: key }, rows)).toBe(key);
		expect(keyOf({ idempotencyKey: key }, reversed)).not.toBe(key);
	});

	test.each([
		'order-7',
		`n8n-${'0'.repeat(47)}`,
		`n8n-${'g'.repeat(48)}`,
		`n8n-row-${'0'.repeat(48)}`,
		'',
	])('is not "%s"', (key) => {
		expect(isGeneratedBatchKey(key)).toBe(false);
	});
});

describe('the key of a single row', () => {
	const row = (hash: string) => [hash];
	/** The keys of rows with this content that one run sends. */
	const keysOf = (values: IDataObject, contents: string[], at = place) => {
		const creates: NodeRun['creates'] = {};
		return contents.map((content, item) =>
			createIdempotencyKeyProvider({ ...at, creates }, {
				items: [{ item, values }],
				values,
			} as unknown as PlannedRequest).getKey({
				line,
				content,
				rows: row(content),
				isSingleRow: true,
			}),
		);
	};
	const same = { payOncePer: 'request' };
	const own = { idempotencyKey: 'sheet-7' };

	test.each([same, own])('depends on its content, in every execution: %j', (values) => {
		const [a, b] = keysOf(values, ['a', 'b']);
		expect(keysOf(values, ['b', 'a'], elsewhere)).toEqual([b, a]);
		expect(a).not.toBe(b);
		expect(a).toMatch(/^n8n-row-[0-9a-f]{48}$/);
	});

	test('depends on the node for Unique Request, and on the user-supplied key otherwise', () => {
		expect(keysOf(same, ['a'], inOtherNode)).not.toEqual(keysOf(same, ['a']));
		expect(keysOf(own, ['a'], inOtherNode)).toEqual(keysOf(own, ['a']));
		expect(keysOf({ idempotencyKey: 'sheet-8' }, ['a'])).not.toEqual(keysOf(own, ['a']));
	});

	test.each([same, own])('is different for each of several identical rows: %j', (values) => {
		const keys = keysOf(values, ['a', 'b', 'a', 'a']);
		expect(new Set(keys).size).toBe(4);
		expect(keysOf(values, ['a', 'a'])).toEqual([keys[0], keys[2]]);
	});

	test('from the log is sent unchanged, once, and for the same content only', () => {
		const [key = ''] = keysOf(same, ['a']);
		const found = keysOf({ idempotencyKey: key }, ['a', 'a', 'b'], inOtherNode);
		expect(found.map((one) => one === key)).toEqual([true, false, false]);
		expect(['a', 'b'].map((content) => isGeneratedKeyForOtherRows(key, row(content)))).toEqual([
			false,
			true,
		]);
		expect(isGeneratedKeyForOtherRows('sheet-7', row('b'))).toBe(false);
	});
});
