/** Which items go into which request. */
import type { IDataObject } from 'n8n-workflow';
import { getCommonOptions } from '../../../nodes/core/form/commonFields';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	describeRequestLine,
	findRepeatedKeys,
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
const itemsOf = (plans: Array<ItemPlan | Error>) => groupRequests(plans).map(({ items }) => items);

test('each item is one request, unless the operation combines items', () => {
	expect(itemsOf([plan({}), plan({})])).toEqual([[0], [1]]);
	const gathered = Array.from({ length: 7 }, () => plan({}, batch));
	expect(itemsOf(gathered)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
});

test('an item with an error is left out, and the others keep their numbers', () => {
	expect(itemsOf([plan({}, batch), new Error('wrong'), plan({}, batch)])).toEqual([[0, 2]]);
});

test('items with another value of a field of the whole request go into another request', () => {
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

test.each(ofRequest)('so do items with another value of the option %s', (name) => {
	const plans = ['a', 'b', 'a'].map((value) => plan({ [name]: value }, batch));
	const groups = itemsOf(plans);
	if (groups.length === 1)
		throw new Error(`Add "${name}" to shared, in nodes/core/plan/groupRequests.ts`);
	expect(groups).toEqual([[0, 2], [1]]);
});

test('an item may count as more than one', () => {
	const sized = row({ combine: { maxSize: 4, getSize: (values) => Number(values.size) } });
	expect(itemsOf([3, 2, 2, 4].map((size) => plan({ size }, sized)))).toEqual([[0], [1, 2], [3]]);
});

test('requests that share a key of the user are numbered', () => {
	const many = Array.from({ length: 7 }, () => plan({ idempotencyKey: 'k' }, batch));
	expect(groupRequests(many).map(({ part }) => part)).toEqual([1, 2, 3]);
	const other = plan({ idempotencyKey: 'other' }, batch);
	expect(groupRequests([...many, other]).map(({ part }) => part)).toEqual([1, 2, 3, 1]);
});

test('two items with the same key and request line are refused', () => {
	const one = plan({ thing_id: 'a', idempotencyKey: 'k' });
	const other = plan({ thing_id: 'b', idempotencyKey: 'k' });
	expect(findRepeatedKeys([one, other])).toEqual(new Map());
	const complaints = findRepeatedKeys([one, new Error('wrong'), one]);
	expect([...complaints.keys()]).toEqual([2]);
	expect(complaints.get(2)).toMatch(/^"Own Key" is "k" for item 0 too/);
	expect(findRepeatedKeys([plan({}), plan({})]).size).toBe(0);
});

test('the description of a request line has its IDs', () => {
	expect(describeRequestLine(plan({ thing_id: 'a' }))).toBe('POST /things/{thing_id} a');
});
