/** All items are read and checked before a request is sent, and each problem names its item. */
import { createState, read } from './itemParameters';

test('valid items have their values, and others the error that explains what is wrong', () => {
	const items = [
		{ title: 'a' },
		{ title: '' },
		{ title: 'c', operation: 'x' },
		{ title: 'odd' },
		{ title: 'e' },
	];
	expect(read(items)).toStrictEqual([
		[0, { title: 'a', waitForCompletion: false }],
		[1, ['"The title" is required']],
		[2, 'The operation "x" is unknown'],
		[3, ['The title is odd', 'Very odd']],
		[4, { title: 'e', waitForCompletion: false }],
	]);
});

test('an empty value of an expression is explained with the fields of the item', () => {
	expect(read([{ title: '' }], 'n', { title: '={{ $json.titel }}' })).toStrictEqual([
		[0, ['"The title" is required, but {{ $json.titel }} is empty for this item, which has i']],
	]);
});

test('an agent may not call an operation that deletes something', () => {
	const item = { title: 'a', operation: 'remove' };
	expect(read([item], 'nTool')).toStrictEqual([[0, expect.stringContaining('AI agent')]]);
	expect(read([item])).toMatchObject([[0, { title: 'a' }]]);
	expect(read([{ title: 'a' }], 'nTool')).toMatchObject([[0, { title: 'a' }]]);
});

test('the earlier values of an item that is no longer valid are used', () => {
	const state = createState();
	read([{ title: '' }, { title: 'b' }], 'n', {}, state);
	expect(read([{ title: 'a' }, { title: '' }], 'n', {}, state)).toMatchObject([
		[0, { title: 'a' }],
		[1, { title: 'b' }],
	]);
	expect(read([{ title: '' }, { title: 'c' }], 'n', {}, state)).toMatchObject([
		[0, { title: 'a' }],
		[1, { title: 'c' }],
	]);
});

test('a repeated key fails its item, and too many jobs fail all items', () => {
	const keyed = ['k', 'l', 'k'].map((idempotencyKey) => ({
		title: 'a',
		options: { idempotencyKey },
	}));
	expect(read(keyed)).toMatchObject([
		[0, { title: 'a' }],
		[1, { title: 'a' }],
		[2, [expect.stringMatching(/^"Own Key" is also "k" for item 0/)]],
	]);
	const limited = [{ title: '' }, ...keyed.map((item) => ({ ...item, options: { mostJobs: 2 } }))];
	const problem = expect.stringMatching(/^This run would create 3 things/) as string;
	expect(read(limited)).toStrictEqual([
		[0, ['"The title" is required']],
		...[1, 2, 3].map((item) => [item, [problem]]),
	]);
});
