/** Which items go into which request. */
import type { IDataObject } from 'n8n-workflow';
import { getCommonOptions } from '../../../nodes/core/form/commonFields';
import type { CreateRequestRecord } from '../../../nodes/core/ledger/ledger';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	getRequestLineWithIds,
	findIdempotencyKeyConflicts,
	getItemIndexes,
	getRowCounts,
	groupItemsIntoRequests,
	hasMissingItems,
	listBatchRows,
	planItemRequest,
	type ItemPlan,
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

const plan = (values: IDataObject, operation = createOperation()): ItemPlan => ({
	resource,
	operation,
	values,
});
const batch = createOperation({ combine: { maxSize: 3, sharedBy: ['folder_id'] } });
const mapByItem = (plans: ReadonlyArray<ItemPlan | undefined>) =>
	new Map([...plans.entries()].filter((entry): entry is [number, ItemPlan] => !!entry[1]));
const groupItems = (plans: ReadonlyArray<ItemPlan | undefined>) =>
	groupItemsIntoRequests(mapByItem(plans)).map(getItemIndexes);

test('sends one request per item, unless the operation combines items', () => {
	expect(groupItems([plan({}), plan({})])).toEqual([[0], [1]]);
	const many = Array.from({ length: 7 }, () => plan({}, batch));
	expect(groupItems(many)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
});

test('omits items without a plan, and keeps the item numbers', () => {
	expect(groupItems([plan({}, batch), undefined, plan({}, batch)])).toEqual([[0, 2]]);
});

describe('items that were sent together', () => {
	const other = createOperation({ value: 'other', combine: { maxSize: 3 } });
	const rows = createOperation({ combine: { maxSize: 3, rows: videoJob } });
	const createPlans = (operation: Operation) =>
		[1, 2, 3].map((n) => plan({ n }, operation)) as [ItemPlan, ItemPlan, ItemPlan];
	const group = { origins: ['1.4', '1.9'], sizes: [1, 2] };
	const creates = { a: { ...group, rejections: 0, sent: group.origins } };
	const regroup = (plans: ReadonlyArray<ItemPlan | undefined>, origins = ['1.4', '2.0', '1.9']) =>
		groupItemsIntoRequests(mapByItem(plans), { origins, creates });
	const show = (...args: Parameters<typeof regroup>) => regroup(...args).map(getItemIndexes);

	test('are sent together again, in the same order', () => {
		const [a, b, c] = createPlans(batch);
		expect(show([a, b, c])).toStrictEqual([[0, 2], [1]]);
		expect(show([a, b, c], ['1.9', '2.0', '1.4'])).toStrictEqual([[2, 0], [1]]);
		expect(regroup([a, b, c], ['1.9', '2.0', '1.4'])[0]).toStrictEqual({
			...{ ...c, items: [2, 0].map((item) => ({ item, values: { n: item + 1 } })) },
			sentGroup: { ...group, items: [2, 0] },
		});
		expect(regroup([a, b, c])[1]).not.toHaveProperty('sentGroup');
	});

	test('are unknown if their origins differ', () => {
		const plans = createPlans(batch);
		expect(show(plans, ['2.4', '2.0', '2.9'])).toStrictEqual([[0, 1, 2]]);
		expect(groupItemsIntoRequests(mapByItem(plans), { creates }).map(getItemIndexes)).toStrictEqual(
			[[0, 1, 2]],
		);
	});

	test('are grouped again if one of them is missing or has another operation', () => {
		const [a, b, c] = createPlans(batch);
		expect(show([a, b])).toStrictEqual([[0, 1]]);
		expect(show([undefined, b, c])).toStrictEqual([[1, 2]]);
		expect(show([undefined, b, undefined])).toStrictEqual([[1]]);
		expect(show([a, b, plan({}, other)])).toStrictEqual([[0, 1], [2]]);
		expect(regroup([a, b]).every((request) => !hasMissingItems(request))).toBe(true);
	});

	test('keep their request without the missing ones if each of them is a row', () => {
		const [a, b, c] = createPlans(rows);
		expect(show([a, b])).toStrictEqual([[0], [1]]);
		expect(show([undefined, b, c])).toStrictEqual([[2], [1]]);
		expect(show([undefined, b, undefined])).toStrictEqual([[1]]);
		const [part, single] = regroup([undefined, b, c]);
		expect(part).toMatchObject({ values: { n: 3 }, sentGroup: { items: [undefined, 2] } });
		expect([part, single].map((request) => hasMissingItems(request!))).toStrictEqual([true, false]);
		expect(hasMissingItems(regroup([a, b, c])[0]!)).toBe(false);
		expect(listBatchRows(part!)).toStrictEqual({
			rows: [
				{ item: 2, index: 1 },
				{ item: 2, index: 2 },
			],
			size: 3,
		});
	});

	test('are planned as new if they have left their request, or if it was rejected', () => {
		const plans = mapByItem([...createPlans(rows), plan({ n: 4 }, rows)]);
		const all = { origins: ['1.4', '1.7', '1.9'], sizes: [1, 1, 2] };
		const regroupSent = (sent: string[], more: Partial<CreateRequestRecord> = {}) =>
			groupItemsIntoRequests(plans, {
				origins: ['1.4', '2.0', '1.9', '1.7'],
				creates: { a: { ...all, rejections: 0, sent, ...more } },
			});
		const [part, single, ...none] = regroupSent(['1.4', '1.9']);
		expect(part).toMatchObject({ items: [{ item: 0 }, { item: 2 }] });
		expect(part?.sentGroup).toStrictEqual({ ...all, items: [0, undefined, 2] });
		expect(listBatchRows(part!).rows.map(({ index }) => index)).toStrictEqual([0, 2, 3]);
		expect(hasMissingItems(part!)).toBe(true);
		expect(getItemIndexes(single!)).toStrictEqual([1, 3]);
		expect([single?.sentGroup, none]).toStrictEqual([undefined, []]);
		expect(regroupSent([]).map(getItemIndexes)).toStrictEqual([[0, 1, 2], [3]]);
		// The record of a request for a single item, or of an upload, groups nothing.
		const ungrouped = regroupSent(all.origins, { sizes: undefined });
		expect(ungrouped.map(getItemIndexes)).toStrictEqual([[0, 1, 2], [3]]);
	});

	test('are found once if a copy of one of them is in the input, too', () => {
		const plans = createPlans(batch);
		expect(show(plans, ['1.4', '2.0', '1.9', '1.9'])).toStrictEqual([[0, 2], [1]]);
	});
});

test('a batch has the rows of each item', () => {
	const getSize = ({ size }: IDataObject) => Number(size);
	const operation = createOperation({ combine: { maxSize: 9, rows: videoJob, getSize } });
	const items = [2, 1].map((size, i) => ({ item: i + 4, values: { size } }));
	const request = { ...planItemRequest(4, plan({ size: 2 }, operation)), items: items as never };
	expect(getRowCounts(request)).toStrictEqual([2, 1]);
	const rows = [4, 4, 5].map((item, index) => ({ item, index }));
	expect(listBatchRows(request)).toStrictEqual({ rows, size: 3 });
	// Expressions may have other results now, but the rows were sent with the earlier ones.
	const sentGroup = { origins: ['1.4', '1.5'], sizes: [1, 2], items: [4, 5] };
	expect(listBatchRows({ ...request, sentGroup })).toStrictEqual({
		rows: [4, 5, 5].map((item, index) => ({ item, index })),
		size: 3,
	});
	const plain = planItemRequest(7, plan({}));
	expect(listBatchRows(plain)).toStrictEqual({ rows: [{ item: 7, index: 0 }], size: 1 });
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
});
const requestOptions = all
	.filter((option) => option.in !== 'local')
	.map(({ name }) => name)
	.concat('additionalBodyFields', 'idempotencyKey');

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
	expect(findIdempotencyKeyConflicts(mapByItem([one, other]))).toEqual(new Map());
	const problems = findIdempotencyKeyConflicts(mapByItem([one, undefined, one]));
	expect([...problems.keys()]).toEqual([2]);
	expect(problems.get(2)).toMatch(/^"Custom Key" is also "k" for row 1:/);
	expect(findIdempotencyKeyConflicts(mapByItem([plan({}), plan({})])).size).toBe(0);
	// The keys of rows also depend on their content.
	const row = plan({ idempotencyKey: 'k' }, createOperation({ isSingleRow: true }));
	expect(findIdempotencyKeyConflicts(mapByItem([row, row])).size).toBe(0);
	// The key is not used.
	const unused = plan({ idempotencyKey: 'k', payOncePer: 'request' });
	expect(findIdempotencyKeyConflicts(mapByItem([unused, unused])).size).toBe(0);
});

test('describes a request line with the IDs of its path', () => {
	expect(getRequestLineWithIds(plan({ thing_id: 'a' }))).toBe('POST /things/{thing_id} a');
});
