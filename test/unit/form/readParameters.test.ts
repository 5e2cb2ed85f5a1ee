/** What the values of form fields become, by type of field. */
import { readParameters } from '../../../nodes/core/form/readParameters';
import type { Field } from '../../integration/support/core';

const createField = (type: Field['type'], more: Partial<Field> = {}): Field => ({
	...{ name: 'field', displayName: 'Field', type, default: '' },
	...more,
});
const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value });

/** Reads one field, and returns its value and the problems that were found. */
function read(field: Field, raw: unknown) {
	const n8n = { getNodeParameter: () => raw };
	const { values, problems } = readParameters(n8n as never, [field], [], 0);
	return { value: values.field, problems };
}

const text = createField('string');
const name = createField('string', { name: 'name', displayName: 'Name' });
const size = createField('number', { name: 'size', displayName: 'Size', required: true });
const oneGroup = createField('fixedCollection', {
	options: [{ name: 'rows', displayName: 'Rows', values: [name, size] }],
});
const severalRows = { ...oneGroup, typeOptions: { multipleValues: true } };
const twoGroups = createField('fixedCollection', {
	options: [
		{ name: 'a', displayName: 'A', values: [name] },
		{ name: 'b', displayName: 'B', values: [name] },
	],
});
const dependent = createField('collection', {
	options: [
		createField('options', { name: 'kind', displayName: 'Kind' }),
		createField('number', {
			...{ name: 'size', displayName: 'Size' },
			displayOptions: { show: { kind: ['sized'] } },
		}),
	],
});
const file = createField('resourceLocator', { asset: true } as Partial<Field>);

test.each<[string, Field, unknown, unknown]>([
	['text', text, 'a', 'a'],
	['a number as text', text, 5, '5'],
	['a number as an asset ID', file, locator('id', 5), { type: 'asset_id', asset_id: '5' }],
	['true as text', text, true, 'true'],
	['nothing', text, '', undefined],
	['null', text, null, undefined],
	['a number', createField('number'), 1.5, 1.5],
	['text as a number', createField('number'), ' 1.5 ', 1.5],
	['other text in a number field', createField('number'), '1,5', '1,5'],
	['spaces in a number field', createField('number'), ' ', ' '],
	['a text that is too large for a number', createField('number'), '1e999', '1e999'],
	['true', createField('boolean'), 'true', true],
	['TRUE', createField('boolean'), 'TRUE', true],
	['false', createField('boolean'), 'false', false],
	['FALSE', createField('boolean'), 'FALSE', false],
	['the number for "not set"', createField('number', { unset: 0 } as Partial<Field>), 0, undefined],
	['the text for "not set"', createField('number', { unset: 0 } as Partial<Field>), '0', undefined],
	[
		'a list where 0 stands for "not set"',
		createField('number', { unset: 0 } as Partial<Field>),
		[],
		[],
	],
	['a selected entry', createField('resourceLocator'), locator('list', 'id1'), 'id1'],
	['a selected entry with a number', createField('resourceLocator'), locator('id', 7), '7'],
	['an empty selection', createField('resourceLocator'), locator('list', ''), undefined],
	['a file by URL', file, locator('url', 'u'), { type: 'url', url: 'u' }],
	['a file by ID', file, locator('list', 'x'), { type: 'asset_id', asset_id: 'x' }],
	['a file of the item', file, locator('binary', 'data'), { type: 'binary', field: 'data' }],
	['a file as an object', file, { type: 'url', url: 'u' }, { type: 'url', url: 'u' }],
	['choices', createField('multiOptions'), ['a', 5, true], ['a', '5', true]],
	['choices as text', createField('multiOptions'), 'a, b (c, d),, e', ['a', 'b (c, d)', 'e']],
	['a number as a choice', createField('multiOptions'), 5, ['5']],
	['no choices', createField('multiOptions'), [], undefined],
	['an object as choices', createField('multiOptions'), { a: 1 }, { a: 1 }],
	['JSON', createField('json'), '{"a":[1]}', { a: [1] }],
	['an empty list as JSON', createField('json'), [], []],
	['an object in a JSON field', createField('json'), { a: 1 }, { a: 1 }],
	[
		'a collection',
		createField('collection', { options: [name] }),
		{ name: 'n', x: 1 },
		{ name: 'n' },
	],
	['a list instead of a collection', createField('collection', { options: [name] }), [1], [1]],
	['a collection without fields', createField('collection'), { a: 1 }, {}],
	['a visible option', dependent, { kind: 'sized', size: 2 }, { kind: 'sized', size: 2 }],
	['a hidden option', dependent, { kind: 'other', size: 2 }, { kind: 'other' }],
	['an option without the field that it depends on', dependent, { size: 2 }, { size: 2 }],
	['a group', oneGroup, { rows: { name: 'n', size: '3' } }, { name: 'n', size: 3 }],
	['an absent group', oneGroup, {}, undefined],
	['text instead of groups', oneGroup, 'x', 'x'],
	['entries', severalRows, { rows: [{ size: 1 }, { size: 2 }] }, [{ size: 1 }, { size: 2 }]],
	['one entry without a list', severalRows, { rows: { size: 1 } }, [{ size: 1 }]],
	['no entries', severalRows, { rows: [] }, undefined],
	['absent entries', severalRows, {}, undefined],
	['one of two groups', twoGroups, { a: { name: 'n' } }, { a: { name: 'n' }, b: undefined }],
	[
		'mapped columns',
		createField('resourceMapper'),
		{ mappingMode: 'defineBelow', value: { a: 1, b: null, c: '' } },
		{ a: 1 },
	],
	['an object instead of mapped columns', createField('resourceMapper'), { a: null }, { a: null }],
	['no mapped columns', createField('resourceMapper'), { mappingMode: 'x', value: null }, {}],
	['a value of another type of field', createField('options'), 'a', 'a'],
])('%s', (_, field, raw, value) => {
	expect(read(field, raw)).toEqual({ value, problems: [] });
});

test.each<[Field, unknown, string]>([
	[createField('string', { required: true }), '', '"Field" is required'],
	[text, { a: 1 }, '"Field" must be text, but is an object: {"a":1}'],
	[createField('boolean'), 'yes', '"Field" must be true or false, but is text: "yes"'],
	[createField('number'), NaN, '"Field" must be a number, but is NaN'],
	[createField('number'), Infinity, '"Field" must be a number, but is Infinity'],
	[
		createField('multiOptions'),
		Array.from({ length: 1001 }, () => 'a'),
		'"Field" must have at most 1,000 entries',
	],
	[severalRows, { rows: [{ size: 1 }, {}] }, '"Field → entry 2 → Size" is required'],
	[oneGroup, { rows: {} }, '"Field → Size" is required'],
])('a problem names the field: %#', (field, raw, problem) => {
	expect(read(field, raw)).toEqual({ value: undefined, problems: [problem] });
});

test('text that is not JSON is a problem, with the message of the parser', () => {
	const { value, problems } = read(createField('json'), '{"a":');
	expect(value).toBeUndefined();
	expect(problems).toEqual([expect.stringContaining('"Field" is not valid JSON: ')]);
});

test('1,000 choices are accepted', () => {
	const choices = Array.from({ length: 1000 }, (_, i) => `c${i}`);
	expect(read(createField('multiOptions'), choices)).toEqual({ value: choices, problems: [] });
});
