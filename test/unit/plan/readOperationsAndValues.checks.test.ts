/** Values that are valid on their own, but not together. */
import { read, type Item } from './itemParameters';

const file = (field: string) => ({ __rl: true, mode: 'binary', value: field });
const noFile = 'The item has no file in the binary field "other": its binary fields are "data"';

test.each<[string, Item, string[]]>([
	[
		'no value for the key',
		{ options: { payOncePer: 'ownKey' } },
		['"Custom Key" is required because "Pay Once Per" is set to it'],
	],
	['a key', { options: { payOncePer: 'ownKey', idempotencyKey: 'k' } }, []],
	['a key without a choice', { options: { idempotencyKey: 'k' } }, []],
	['another choice', { options: { payOncePer: 'request' } }, []],
	...['request', 'execution'].map((payOncePer): [string, Item, string[]] => [
		`a key that ${payOncePer} does not use`,
		{ options: { payOncePer, idempotencyKey: 'k' } },
		[
			'"Custom Key" has no effect unless "Pay Once Per" is set to it: change that choice, or remove the key',
		],
	]),
	['a missing file', { file: file('other') }, [noFile]],
	[
		'a field of its own in a batch',
		{ operation: 'many', advanced: { additionalBodyFields: '{"a":1}' } },
		[],
	],
	['a field of its own', { advanced: { additionalBodyFields: '{"rows":1}' } }, []],
	[
		'the list of a batch',
		{ operation: 'many', advanced: { additionalBodyFields: '{"rows":1}' } },
		['"Additional Body Fields" cannot contain "rows": its entries come from the items'],
	],
	['an operation without checks', { operation: 'plain' }, []],
	[
		'several problems',
		{ title: 'odd', file: file('other'), options: { payOncePer: 'ownKey' } },
		[
			'The title is odd',
			'Very odd',
			'"Custom Key" is required because "Pay Once Per" is set to it',
			noFile,
		],
	],
])('values that fit together, or not: %s', (_, item, problems) => {
	const [[, result] = []] = read([{ title: 'a', ...item }]);
	expect(result).toStrictEqual(
		problems.length > 0 ? problems : expect.objectContaining({ title: 'a' }),
	);
});

test('values are checked together only if each of them is valid', () => {
	const item = { title: '', file: file('other'), options: { payOncePer: 'ownKey' } };
	expect(read([item])).toStrictEqual([[0, ['"The title" is required']]]);
});

test('a file is taken from the item that refers to it', () => {
	const plans = read([{ title: 'a' }, { title: 'b', file: file('data') }]);
	expect(plans[1]).toStrictEqual([
		1,
		{ title: 'b', waitForCompletion: false, file: { type: 'binary', field: 'data', item: 1 } },
	]);
});
