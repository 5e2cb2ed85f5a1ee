/** Which items go into which request. */
import type { IDataObject } from 'n8n-workflow';
import { getCommonOptions } from '../../../nodes/core/form/commonFields';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	getRequestTarget,
	findRepeatedKeyErrors,
	getItemIndexes,
	groupItemsIntoRequests,
	type ItemOperation,
} from '../../../nodes/core/plan/groupRequests';
import { videoJob } from '../../../nodes/jobKinds/catalog';

const resource: Resource = { name: 'Thing', value: 'thing', operations: [] };

const createOperation = (more: Partial<Operation> = {}): Operation => ({
	value: 'create',
	name: 'Create',
	action: 'Create a thing',
	description: '',
	request: 'POST /things/{thing_id}',
	fields: [],
	...more,
});

const plan = (values: IDataObject, operation = createOperation()): ItemOperation => ({
	resource,
	operation,
	values,
});
const batch = createOperation({ combine: { maxSize: 3, sharedBy: ['folder_id'] } });
const mapByItem = (plans: ReadonlyArray<ItemOperation | undefined>) =>
	new Map([...plans.entries()].filter((entry): entry is [number, ItemOperation] => !!entry[1]));
const groupItems = (plans: ReadonlyArray<ItemOperation | undefined>) =>
	groupItemsIntoRequests(mapByItem(plans)).map(getItemIndexes);

test('sends one request per item, unless the operation combines items', () => {
	expect(groupItems([plan({}), plan({})])).toEqual([[0], [1]]);
	const many = Array.from({ length: 7 }, () => plan({}, batch));
	expect(groupItems(many)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
});

test('omits items without a plan, and keeps the item numbers', () => {
	expect(groupItems([plan({}, batch), undefined, plan({}, batch)])).toEqual([[0, 2]]);
});

test('an earlier request is sent again for the same items, unless they changed', () => {
	const earlier = [{ items: [0, 2].map((item) => ({ item, values: {} })) as never }];
	const regroup = (...plans: Array<ItemOperation | undefined>) =>
		groupItemsIntoRequests(mapByItem(plans), earlier).map(getItemIndexes);
	const other = createOperation({ value: 'other', combine: { maxSize: 3 } });
	const [a, b] = [plan({ n: 1 }, batch), plan({ n: 2 }, batch)];
	expect(regroup(a, b, b)).toStrictEqual([[0, 2], [1]]);
	expect(regroup(a, b)).toStrictEqual([[0, 1]]);
	expect(regroup(undefined, b, b)).toStrictEqual([[1, 2]]);
	expect(regroup(a, b, plan({}, other))).toStrictEqual([[0, 1], [2]]);
	const [request] = groupItemsIntoRequests(mapByItem([a, undefined, b]), earlier);
	expect(request).toMatchObject({
		values: { n: 1 },
		items: [a, b].map(({ values }) => ({ values })),
	});
});

test('combines only items with equal values that apply to the whole request', () => {
	const folders = ['a', 'b', 'a', 'b', 'a', 'a'].map((folder_id) => plan({ folder_id }, batch));
	expect(groupItems(folders)).toEqual([[0, 2, 4], [1, 3], [5]]);
	const keys = [{ idempotencyKey: 'k' }, {}, { idempotencyKey: 'k' }];
	expect(groupItems(keys.map((values) => plan(values, batch)))).toEqual([[0, 2], [1]]);
});

const all = getCommonOptions({
	idempotent: true,
	idempotentRows: false,
	sendsBody: true,
	waits: true,
	startsJob: true,
	stoppable: true,
	paid: true,
	createsForFree: false,
	hasFiles: true,
	dated: false,
	callsBack: true,
});
const requestOptions = all
	.filter((option) => option.in !== 'local')
	.map(({ name }) => name)
	.concat('additionalBodyFields', 'idempotencyKey', 'callBackHere');

test.each(requestOptions)('combines only items with an equal value of the option %s', (name) => {
	const plans = ['a', 'b', 'a'].map((value) => plan({ [name]: value }, batch));
	const groups = groupItems(plans);
	if (groups.length === 1)
		throw new Error(`Add "${name}" to shared, in nodes/core/plan/groupRequests.ts`);
	expect(groups).toEqual([[0, 2], [1]]);
});

test('limits the total size of the items, not their number', () => {
	const sized = createOperation({
		combine: { maxSize: 4, getSize: (values) => Number(values.size) },
	});
	expect(groupItems([3, 2, 2, 4].map((size) => plan({ size }, sized)))).toEqual([[0], [1, 2], [3]]);
});

test('combines items with the same user-supplied key, if the key is used', () => {
	const rows = createOperation({ combine: { maxSize: 3, rows: videoJob } });
	const keys = [{ idempotencyKey: 'a' }, {}, { idempotencyKey: 'b' }, { idempotencyKey: 'a' }];
	expect(groupItems(keys.map((values) => plan(values, rows)))).toEqual([[0, 3], [1], [2]]);
	const unused = ['a', 'b'].map((idempotencyKey) => ({ idempotencyKey, payOncePer: 'execution' }));
	expect(groupItems(unused.map((values) => plan(values, rows)))).toEqual([[0, 1]]);
	const ways = ['request', 'execution', 'request'].map((payOncePer) => plan({ payOncePer }, rows));
	expect(groupItems(ways)).toEqual([[0, 2], [1]]);
});

test('rejects two items with the same user-supplied key on the same endpoint', () => {
	const one = plan({ thing_id: 'a', idempotencyKey: 'k' });
	const other = plan({ thing_id: 'b', idempotencyKey: 'k' });
	expect(findRepeatedKeyErrors(mapByItem([one, other]))).toEqual(new Map());
	const problems = findRepeatedKeyErrors(mapByItem([one, undefined, one]));
	expect([...problems.keys()]).toEqual([2]);
	expect(problems.get(2)).toMatch(/^"Own Key" is also "k" for item 0:/);
	expect(findRepeatedKeyErrors(mapByItem([plan({}), plan({})])).size).toBe(0);
	// The keys of rows also depend on their content.
	const row = plan({ idempotencyKey: 'k' }, createOperation({ isSingleRow: true }));
	expect(findRepeatedKeyErrors(mapByItem([row, row])).size).toBe(0);
	// The key is not used.
	const unused = plan({ idempotencyKey: 'k', payOncePer: 'request' });
	expect(findRepeatedKeyErrors(mapByItem([unused, unused])).size).toBe(0);
});

test('describes a request line with the IDs of its path', () => {
	expect(getRequestTarget(plan({ thing_id: 'a' }))).toBe('POST /things/{thing_id} a');
});
