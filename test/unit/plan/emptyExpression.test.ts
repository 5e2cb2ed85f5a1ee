/** An empty required value names its expression, and the fields that were probably meant. */
import type { IDataObject } from 'n8n-workflow';
import { explainEmptyExpression } from '../../../nodes/core/form/readParameters';

const locator = (value: string) => ({ __rl: true as const, mode: 'id', value });

test.each<[string, Parameters<typeof explainEmptyExpression>[0], IDataObject, string]>([
	['a fixed value', '', { look_id: '1' }, ''],
	['a fixed choice', locator(''), { look_id: '1' }, ''],
	['a number', 5, { look_id: '1' }, ''],
	['no value', undefined, { look_id: '1' }, ''],
	['an object that is no choice', { value: '={{ 1 }}' } as never, { look_id: '1' }, ''],
	[
		'spaces around an expression',
		'= a ',
		{ b1: { inner: 1 }, c1: 2 },
		'The expression a returned no value; the row has b1, c1',
	],
	[
		'a field with a name of one letter',
		'={{ $json.axb }}',
		{ x: 1, other: 2 },
		'The expression {{ $json.axb }} returned no value; the row has x, other',
	],
	[
		'names with one word of the label of the form field: the first five',
		'={{ $json.script }}',
		{ z1: 1, my_look: 1, 'Look 2': 1, a: { xLook: 1, avatarId: 1, look: 1, lookX: 1 } },
		'The expression {{ $json.script }} returned no value; the row has my_look, Look 2, a.xLook, a.avatarId, a.look and 3 more',
	],
	[
		'a field with a similar name',
		locator('={{ $json.look }}'),
		{ look_id: '1', name: 'Anna' },
		'The expression {{ $json.look }} returned no value; the row has look_id, name',
	],
	[
		'a field that the row has',
		'={{ $json.look.trim() }}',
		{ look: '', look_id: '1' },
		"The row's look field is empty",
	],
	[
		'another spelling, in brackets',
		"={{ $json['Look ID'] }}",
		{ lookId: '1', name: 'Anna' },
		"The expression {{ $json['Look ID'] }} returned no value; the row has lookId, name",
	],
	[
		'a name that shares a word with the form field',
		locator('={{ $json.avatar_id }}'),
		{ name: 'Anna', email: '', company: '', city: '', phone: '', look_id: '1' },
		'The expression {{ $json.avatar_id }} returned no value; the row has look_id, name, email, company, city and 1 more',
	],
	[
		'a name in an object of the item',
		locator('={{ $json.lookId }}'),
		{ headers: {}, query: {}, body: { look_id: '1', text: 'Hello' } },
		'The expression {{ $json.lookId }} returned no value; the row has body.look_id, headers, query, body',
	],
	[
		'a name of one letter is similar to no other',
		'={{ $json.x }}',
		{ text: 'a', next: 'b', other: 'c' },
		'The expression {{ $json.x }} returned no value; the row has text, next, other',
	],
	[
		'a word that many names contain does not count',
		'={{ $json.text_id }}',
		{ video_id: 1, other: 2 },
		'The expression {{ $json.text_id }} returned no value; the row has video_id, other',
	],
	[
		'no similar name: the first five',
		'={{ $json.script }}',
		{ a1: 1, b1: 2, c1: 3, d1: 4, e1: 5, f1: 6 },
		'The expression {{ $json.script }} returned no value; the row has a1, b1, c1, d1, e1 and 1 more',
	],
	[
		'an empty item',
		'={{ $json.script }}',
		{},
		'The expression {{ $json.script }} returned no value; the row has no fields',
	],
])('%s', (_, parameter, json, explanation) => {
	expect(explainEmptyExpression(parameter, json, 'Avatar Look')).toBe(explanation);
});

test('a long expression and long names are cut', () => {
	const [whole, long] = ['x'.repeat(60), 'x'.repeat(100_000)] as const;
	const cut = `${'x'.repeat(59)}…`;
	const explain = (name: string) => explainEmptyExpression(`=${name}`, { [name]: 1 }, 'Text');
	expect(explain(whole)).toBe(`The expression ${whole} returned no value; the row has ${whole}`);
	expect(explain(`${whole}x`)).toBe(`The expression ${cut} returned no value; the row has ${cut}`);
	expect(explain(long)).toBe(explain(`${whole}x`));
});
