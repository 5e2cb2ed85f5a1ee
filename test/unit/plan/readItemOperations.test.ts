/** All items are read and checked before a request is sent, and each problem names its item. */
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../../../nodes/core/form/field';
import type { Operation, Resource } from '../../../nodes/core/operation';
import {
	createInvalidValueError,
	readItemOperations,
} from '../../../nodes/core/plan/readItemOperations';
import type { NodeRetryState } from '../../../nodes/core/plan/retryState';
import { videoJob } from '../../../nodes/jobKinds/catalog';

const field = (name: string, more: Partial<Field> = {}): Field => ({
	displayName: `The ${name}`,
	name,
	type: 'string',
	default: '',
	...more,
});

const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create a thing',
	description: '',
	request: 'POST /things',
	fields: [field('title', { required: true }), field('file', { asset: true, schema: z.any() })],
	options: [field('callback_url')],
	idempotent: true,
	starts: videoJob,
	check: ({ title }) => [
		title === 'odd' && 'The title is odd',
		title === 'odd' && 'Very odd',
		false,
	],
};
const resources: Resource[] = [
	{
		name: 'Thing',
		value: 'thing',
		operations: [
			create,
			{ ...create, value: 'many', combine: { maxSize: 2, list: 'rows' }, acceptsAllFiles: true },
			{ ...create, value: 'remove', destructive: true },
			{ ...create, value: 'plain', check: undefined },
		],
	},
];

type Item = IDataObject & { options?: IDataObject };

/** A node with these parameters for its items. Each item has a file in the binary field `data`. */
function createNode(all: Item[], type = 'n', parameters: IDataObject = {}): IExecuteFunctions {
	const node = { name: 'Node', type, parameters } as unknown as INode;
	const inputs = all.map(
		(_, i) => ({ json: { i }, binary: { data: {} } }) as unknown as INodeExecutionData,
	);
	const defaults: IDataObject = {
		resource: 'thing',
		operation: 'create',
		waitForCompletion: false,
		download: [],
	};
	return {
		getNode: () => node,
		getInputData: () => inputs,
		getNodeParameter: (name: string, item: number, fallback: unknown) =>
			all[item]?.[name] ?? defaults[name] ?? fallback,
	} as unknown as IExecuteFunctions;
}

const createState = () => ({ plans: [] }) as unknown as NodeRetryState;

/** Reads the items. Lists the values of valid items, and the details of the errors of others. */
const read = (all: Item[], type?: string, parameters?: IDataObject, state = createState()) =>
	[...readItemOperations(createNode(all, type, parameters), resources, { state })].map(
		([item, plan]) => [
			item,
			'values' in plan
				? plan.values
				: ((plan.context.details as IDataObject | undefined)?.complaints ?? plan.message),
		],
	);

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

const file = (field: string) => ({ __rl: true, mode: 'binary', value: field });
const noFile = 'The item has no file in the binary field "other": its binary fields are "data"';

test.each<[string, Item, string[]]>([
	[
		'no value for the key',
		{ options: { payOncePer: 'ownKey' } },
		['"Own Key" is required because "Pay Once Per" is set to it'],
	],
	['a key', { options: { payOncePer: 'ownKey', idempotencyKey: 'k' } }, []],
	['another choice', { options: { payOncePer: 'request' } }, []],
	[
		'two callbacks',
		{ options: { callback_url: 'https://a.example', callBackHere: true } },
		[
			'"Callback URL" and "Call Back This Execution" cannot both be used: the service calls only one URL',
		],
	],
	['one callback', { options: { callBackHere: true } }, []],
	['a callback URL', { options: { callback_url: 'https://a.example' } }, []],
	['a missing file', { file: file('other') }, [noFile]],
	[
		'a missing file, of any',
		{ operation: 'many', file: file('other') },
		[`${noFile}; enter * for all of them`],
	],
	[
		'a field of its own in a batch',
		{ operation: 'many', options: { additionalBodyFields: '{"a":1}' } },
		[],
	],
	['a field of its own', { options: { additionalBodyFields: '{"rows":1}' } }, []],
	[
		'the list of a batch',
		{ operation: 'many', options: { additionalBodyFields: '{"rows":1}' } },
		['"Additional Body Fields" cannot contain "rows": its entries come from the items'],
	],
	['an operation without checks', { operation: 'plain' }, []],
	[
		'several problems',
		{ title: 'odd', file: file('other'), options: { payOncePer: 'ownKey' } },
		[
			'The title is odd',
			'Very odd',
			'"Own Key" is required because "Pay Once Per" is set to it',
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

test('an error lists all invalid values', () => {
	const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;
	const describe = (problems: string[]) => {
		const { message, description, context } = createInvalidValueError(node, problems);
		const [advice] = String(description).split(/\n[^\n]*errors/);
		return [message, advice, context.details];
	};
	expect(describe(['A', 'B', 'C'])).toStrictEqual([
		'A',
		expect.stringMatching(/^B\nC\nNothing was sent to the service\./),
		{ code: 'invalid_value', complaints: ['A', 'B', 'C'] },
	]);
});
