/** Which items go into which request. */
import type { IDataObject } from 'n8n-workflow';
import { getCommonOptions } from '../../../nodes/core/form/commonFields';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	describeRequestLine,
	findRepeatedIdempotencyKeys,
	groupRequests,
	type ItemPlan,
} from '../../../nodes/core/plan/groupRequests';

const resource: Resource = { name: 'Thing', value: 'thing', operations: [] };

const row = (more: Partial<Operation> = {}): Operation => ({
	value: 'create',
	name: 'Create',
	action: 'Create a thing',
	description: '',
	request: 'POST /things/{thing_id}',
	fields: [],
	...more,
});

const plan = (values: IDataObject, operation = row()): ItemPlan => ({
	resource,
	operation,
	values,
});
const batch = row({ combine: { maxSize: 3, sharedBy: ['folder_id'] } });
const byItem = (plans: ReadonlyArray<ItemPlan | undefined>) =>
	new Map([...plans.entries()].filter((entry): entry is [number, ItemPlan] => !!entry[1]));
const itemsOf = (plans: ReadonlyArray<ItemPlan | undefined>) =>
	groupRequests(byItem(plans)).map(({ itemIndexes }) => itemIndexes);

test('send one request per item, unless the operation combines items', () => {
	expect(itemsOf([plan({}), plan({})])).toEqual([[0], [1]]);
	const many = Array.from({ length: 7 }, () => plan({}, batch));
	expect(itemsOf(many)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
});

test('leave out items without a plan, and keep the item numbers', () => {
	expect(itemsOf([plan({}, batch), undefined, plan({}, batch)])).toEqual([[0, 2]]);
});

test('combine only items that agree on what applies to the whole request', () => {
	const folders = ['a', 'b', 'a', 'b', 'a', 'a'];
	expect(itemsOf(folders.map((folder_id) => plan({ folder_id }, batch)))).toEqual([
		[0, 2, 4],
		[1, 3],
		[5],
	]);
	const keys = [{ idempotencyKey: 'k' }, {}, { idempotencyKey: 'k' }];
	expect(itemsOf(keys.map((values) => plan(values, batch)))).toEqual([[0, 2], [1]]);
});

const all = getCommonOptions({
	idempotent: true,
	sendsBody: true,
	waits: true,
	paid: true,
	hasFiles: true,
	dated: false,
	callsBack: true,
});
const ofRequest = all
	.filter((option) => option.in !== 'local')
	.map(({ name }) => name)
	.concat('additionalBodyFields', 'idempotencyKey', 'callBackHere');

test.each(ofRequest)('combine only items that agree on the option %s', (name) => {
	const plans = ['a', 'b', 'a'].map((value) => plan({ [name]: value }, batch));
	const groups = itemsOf(plans);
	if (groups.length === 1)
		throw new Error(`Add "${name}" to shared, in nodes/core/plan/groupRequests.ts`);
	expect(groups).toEqual([[0, 2], [1]]);
});

test('count the size of items, not their number', () => {
	const sized = row({ combine: { maxSize: 4, getSize: (values) => Number(values.size) } });
	expect(itemsOf([3, 2, 2, 4].map((size) => plan({ size }, sized)))).toEqual([[0], [1, 2], [3]]);
});

test('number the requests that share the key of the user', () => {
	const many = Array.from({ length: 7 }, () => plan({ idempotencyKey: 'k' }, batch));
	expect(groupRequests(byItem(many)).map(({ part }) => part)).toEqual([1, 2, 3]);
	const other = plan({ idempotencyKey: 'other' }, batch);
	expect(groupRequests(byItem([...many, other])).map(({ part }) => part)).toEqual([1, 2, 3, 1]);
});

test('refuse two items with the same own key on the same line', () => {
	const one = plan({ thing_id: 'a', idempotencyKey: 'k' });
	const other = plan({ thing_id: 'b', idempotencyKey: 'k' });
	expect(findRepeatedIdempotencyKeys(byItem([one, other]))).toEqual(new Map());
	const problems = findRepeatedIdempotencyKeys(byItem([one, undefined, one]));
	expect([...problems.keys()]).toEqual([2]);
	expect(problems.get(2)).toMatch(/^"Own Key" is "k" for item 0 too/);
	expect(findRepeatedIdempotencyKeys(byItem([plan({}), plan({})])).size).toBe(0);
});

test('describe a request line with its path identifiers', () => {
	expect(describeRequestLine(plan({ thing_id: 'a' }))).toBe('POST /things/{thing_id} a');
});
