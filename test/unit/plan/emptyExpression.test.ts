/** An empty required value names its expression, and the fields that were probably meant. */
import type { IDataObject } from 'n8n-workflow';
import { explainEmptyExpression } from '../../../nodes/core/plan/emptyExpression';

const locator = (value: string) => ({ __rl: true as const, mode: 'id', value });

test.each<[string, Parameters<typeof explainEmptyExpression>[0], IDataObject, string]>([
	['a fixed value', '', { look_id: '1' }, ''],
	['a fixed choice', locator(''), { look_id: '1' }, ''],
	[
		'a field with a similar name',
		locator('={{ $json.look }}'),
		{ look_id: '1', name: 'Anna' },
		', but {{ $json.look }} is empty for this item, which has look_id',
	],
	[
		'another spelling, in brackets',
		"={{ $json['Look ID'] }}",
		{ lookId: '1', name: 'Anna' },
		", but {{ $json['Look ID'] }} is empty for this item, which has lookId",
	],
	[
		'a name that shares a word with the form field',
		locator('={{ $json.avatar_id }}'),
		{ name: 'Anna', email: '', company: '', city: '', phone: '', look_id: '1' },
		', but {{ $json.avatar_id }} is empty for this item, which has look_id',
	],
	[
		'a name in an object of the item',
		locator('={{ $json.lookId }}'),
		{ headers: {}, query: {}, body: { look_id: '1', text: 'Hello' } },
		', but {{ $json.lookId }} is empty for this item, which has body.look_id',
	],
	[
		'a name of one letter is similar to no other',
		'={{ $json.x }}',
		{ text: 'a', next: 'b', other: 'c' },
		', but {{ $json.x }} is empty for this item, which has text, next, other',
	],
	[
		'a word that many names contain does not count',
		'={{ $json.text_id }}',
		{ video_id: 1, other: 2 },
		', but {{ $json.text_id }} is empty for this item, which has video_id, other',
	],
	[
		'no similar name: the first five',
		'={{ $json.script }}',
		{ a1: 1, b1: 2, c1: 3, d1: 4, e1: 5, f1: 6 },
		', but {{ $json.script }} is empty for this item, which has a1, b1, c1, d1, e1',
	],
	[
		'an empty item',
		'={{ $json.script }}',
		{},
		', but {{ $json.script }} is empty for this item, which has no fields',
	],
])('%s', (_, parameter, json, explanation) => {
	expect(explainEmptyExpression(parameter, json, 'Avatar Look')).toBe(explanation);
});

test('a long expression and long names are cut', () => {
	const long = 'x'.repeat(100_000);
	const explanation = explainEmptyExpression(`={{ $json.${long} }}`, { [long]: 1 }, 'Text');
	expect(explanation.length).toBeLessThan(200);
});
