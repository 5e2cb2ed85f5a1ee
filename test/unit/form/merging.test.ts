/** Fields and options that several operations share are in the description of a node once. */
import { buildNodeProperties } from '../../../nodes/core/describe/nodeDescription';
import type { Field } from '../../../nodes/core/form/field';
import type { Operation, Resource } from '../../../nodes/core/operation';

const field = (name: string, more: Partial<Field> = {}): Field => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	...more,
});

const operation = (value: string, fields: Field[], more: Partial<Operation> = {}): Operation => ({
	...{ value, name: value, action: value, description: value },
	request: 'GET /v3/things',
	fields,
	...more,
});

const resource = (value: string, operations: Operation[]): Resource => ({
	...{ value, name: value, operations },
});

const [a, b, c] = ['a', 'b', 'c'].map((name) => field(name)) as [Field, Field, Field];

/** The names of fields, each with the resources and operations that show it. */
function describeFields(resources: Resource[]) {
	return buildNodeProperties(resources)
		.filter(({ name }) => name.length === 1)
		.map(({ name, displayOptions: { show } = {} }) =>
			[name, show?.resource?.join('+'), show?.operation?.join('+')].join(' '),
		);
}

test('an identical field of two operations is described once, and lists keep their orders', () => {
	const operations = [operation('one', [a, b]), operation('two', [c, a, b])];
	expect(describeFields([resource('x', operations)])).toEqual([
		'c x two',
		'a x one+two',
		'b x one+two',
	]);
});

test('fields in another order, or with a difference, are described again', () => {
	const other = field('a', { description: 'Other' });
	const operations = [
		operation('one', [a, b]),
		operation('two', [b, a]),
		operation('three', [other]),
	];
	expect(describeFields([resource('x', operations)])).toEqual([
		...['a x three', 'a x one', 'b x one+two', 'a x two'],
	]);
});

test('resources share a description only if it shows the field in no other operation', () => {
	const [x, y, z] = [
		resource('x', [operation('one', [a]), operation('two', [a])]),
		resource('y', [operation('one', [a])]),
		resource('z', [operation('one', [a]), operation('two', [])]),
	];
	expect(describeFields([x, y])).toEqual(['a x+y one+two']);
	expect(describeFields([x, z])).toEqual(['a x one+two', 'a z one']);
});
