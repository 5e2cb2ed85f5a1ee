/** When an output item gets the fields and the files of its input item, and which of them. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	addInputFields,
	mergeInputIntoOutput,
	shouldIncludeInputFields,
} from '../../../nodes/core/collect/collectItems';

const createNode = (getValue: () => unknown, input: INodeExecutionData[] = [], type = 'video') => {
	const getNodeParameter = jest.fn(getValue);
	const n8n = { getNode: () => ({ type }), getInputData: () => input, getNodeParameter };
	return { n8n: n8n as unknown as IExecuteFunctions, getNodeParameter };
};

test.each<[unknown, string, boolean]>([
	[true, 'video', true],
	['true', 'video', true],
	[false, 'video', false],
	['false', 'video', false],
	['yes', 'video', false],
	[true, 'videoTool', false],
])('with the value %j, the node %s includes input fields: %j', (value, type, expected) => {
	const { n8n, getNodeParameter } = createNode(() => value, [], type);
	expect(shouldIncludeInputFields(n8n, 3)).toBe(expected);
	const call = ['options.includeInputFields', 3, false];
	expect(getNodeParameter.mock.calls).toStrictEqual(type === 'video' ? [call] : []);
});

test('an expression that cannot be evaluated includes nothing', () => {
	const { n8n } = createNode(() => {
		throw new Error('No expression');
	});
	expect(shouldIncludeInputFields(n8n, 0)).toBe(false);
});

describe('an output item', () => {
	const output = { json: { id: 'v' }, binary: { data: 'new' as never }, pairedItem: 0 };
	const photo = { data: 'old' as never, photo: 'old' as never };

	test('gets the fields and the files of its input item, but keeps its own', () => {
		const { n8n } = createNode(() => true, [{ json: { name: 'A', id: 'x' }, binary: photo }]);
		expect(addInputFields(n8n, 0, output)).toStrictEqual({
			json: { name: 'A', input: { id: 'x' }, id: 'v' },
			binary: { data: 'new', photo: 'old' },
			pairedItem: 0,
		});
	});

	test('gets no files if there are none', () => {
		const { n8n } = createNode(() => true, [{ json: { name: 'A' } }]);
		expect(addInputFields(n8n, 0, { json: { id: 'v' } })).toStrictEqual({
			json: { name: 'A', id: 'v' },
		});
	});

	test('does not change if the option is off, or without an input item', () => {
		const input = [{ json: { name: 'A' }, binary: photo }];
		expect(addInputFields(createNode(() => false, input).n8n, 0, output)).toBe(output);
		expect(addInputFields(createNode(() => true, input).n8n, 1, output)).toBe(output);
	});
});

test.each<[string, IDataObject, IDataObject, IDataObject]>([
	['texts that differ in their last letter', { a: 'Hello' }, { a: 'Hellp' }, { a: 'Hellp' }],
	[
		'URLs that differ in their last letter',
		{ a: 'https://files.example/a' },
		{ a: 'https://files.example/b' },
		{ a: 'https://files.example/b' },
	],
	['a value and none', { a: undefined }, { a: 1 }, { a: 1 }],
	['questions before a URL', { a: 'x?https://a' }, { a: 'y?https://a' }, { a: 'y?https://a' }],
	['a URL without a host', { a: 'https://?a' }, { a: 'https://?b' }, { a: 'https://?b' }],
	[
		'a job whose ID is a number',
		{ job: 1, status: 'done' },
		{ job: { kind: 'video', id: 7 }, status: 'new' },
		{ job: { kind: 'video', id: 7 }, status: 'new' },
	],
	[
		'a job whose kind is a number',
		{ job: 1 },
		{ job: { kind: 7, id: 'v' } },
		{ job: { kind: 7, id: 'v' } },
	],
])('conflicting are %s', (_, output, input, moved) => {
	expect(mergeInputIntoOutput(output, input)).toStrictEqual({ input: moved, ...output });
});

test.each<[string, IDataObject, IDataObject]>([
	[
		'of a URL in a text',
		{ a: 'See https://files.example/a?x=1 now' },
		{ a: 'See https://files.example/a?x=2 now' },
	],
	['of nested URLs', { a: [{ b: 'http://a.example?1' }] }, { a: [{ b: 'http://a.example?2' }] }],
])('the query %s makes no conflict', (_, output, input) => {
	expect(mergeInputIntoOutput(output, input)).toStrictEqual(output);
});

test('the earlier job of an input item stays if the output item has none', () => {
	const input = { job: { kind: 'video', id: 'v' }, status: 'completed' };
	expect(mergeInputIntoOutput({ id: 1 }, input)).toStrictEqual({ ...input, id: 1 });
});

test('an error of the input item takes its details along', () => {
	const moved = { error: 'No', details: { code: 'x' } };
	expect(mergeInputIntoOutput({ id: 1 }, { ...moved, a: 2 })).toStrictEqual({
		...{ a: 2, input: moved, id: 1 },
	});
	const empty = { error: '', details: { code: 'x' } };
	expect(mergeInputIntoOutput({ id: 1 }, empty)).toStrictEqual({
		...{ details: { code: 'x' }, input: { error: '' }, id: 1 },
	});
});

test('a value "input" that is no object stays, also next to a conflict', () => {
	expect(mergeInputIntoOutput({ id: 1 }, { input: 0 })).toStrictEqual({ input: 0, id: 1 });
	expect(mergeInputIntoOutput({ id: 1 }, { input: [2], id: 2 })).toStrictEqual({
		...{ input: { id: 2, input: [2] }, id: 1 },
	});
});
