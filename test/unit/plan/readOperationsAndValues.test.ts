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
		[
			0,
			['"The title" is empty. The expression {{ $json.titel }} returned no value; the row has i'],
		],
	]);
});

test('an agent may not call an operation that deletes something', () => {
	const item = { title: 'a', operation: 'remove' };
	expect(read([item], 'nTool')).toStrictEqual([[0, expect.stringContaining('AI agent')]]);
	expect(read([item])).toMatchObject([[0, { title: 'a' }]]);
	expect(read([{ title: 'a' }], 'nTool')).toMatchObject([[0, { title: 'a' }]]);
});

test('an item whose request was sent is valid, whatever its values are now', () => {
	const items = [{ title: '' }, { title: 'odd' }, { title: 'odd' }, { title: 'd', operation: 'x' }];
	const values = { waitForCompletion: false };
	expect(read(items, 'n', {}, createState(0, 1, 3))).toStrictEqual([
		[0, expect.objectContaining(values)],
		[1, { title: 'odd', ...values }],
		[2, ['The title is odd', 'Very odd']],
		[3, 'The operation "x" is unknown'],
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
		[2, [expect.stringMatching(/^"Custom Key" is also "k" for row 1/)]],
	]);
	const limited = [{ title: '' }, ...keyed.map((item) => ({ ...item, options: { mostJobs: 2 } }))];
	const problem = expect.stringMatching(/^This run would create 3 things/) as string;
	expect(read(limited)).toStrictEqual([
		[0, ['"The title" is required']],
		...[1, 2, 3].map((item) => [item, [problem]]),
	]);
});
