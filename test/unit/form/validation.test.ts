/** How an error message describes a value that does not match the schema of its field. */
import { z, type ZodTypeAny } from 'zod';
import { countCharacters, formatValue, parseFieldValue } from '../../../nodes/core/form/validation';
import type { Field } from '../../integration/support/core';

function parse(schema: ZodTypeAny, value: unknown) {
	const field = { name: 'f', displayName: 'F', type: 'json', default: '', schema } as Field;
	const problems: string[] = [];
	const parsed = parseFieldValue(field, 'F', value, (problem) => problems.push(problem));
	return { parsed, problems };
}

const kinds = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('a') }),
	z.object({ kind: z.literal('b') }),
]);

test.each<[ZodTypeAny, unknown, string]>([
	[z.number().max(1000), 1001, '"F" must be at most 1,000, but is 1001'],
	[z.number().min(1), 0, '"F" must be at least 1, but is 0'],
	[z.number().lt(5), 5, '"F" must be less than 5, but is 5'],
	[z.number().gt(5), 5, '"F" must be more than 5, but is 5'],
	[z.number().multipleOf(5), 7, '"F" must be a multiple of 5, but is 7'],
	[z.number().int(), 1.5, '"F" must be a whole number, but is a decimal number: 1.5'],
	[z.string().max(1), 'a😀', '"F" must have at most 1 character, but has 2'],
	[z.string().min(2), 'a', '"F" must have at least 2 characters, but has 1'],
	[z.string().url(), 'x', '"F" must be a full URL such as https://example.com/file, but is "x"'],
	[z.string().regex(/b/, 'must contain b'), 'a', '"F" must contain b, but is "a"'],
	[z.array(z.any()).min(1), [], '"F" must have at least 1 entry, but has 0'],
	[z.array(z.any()).max(2), [1, 2, 3], '"F" must have at most 2 entries, but has 3'],
	[z.enum(['a', 'b']), 'c', '"F" must be one of a, b, but is "c"'],
	[kinds, { kind: 'c' }, '"F → kind" must be one of a, b, but is "c"'],
	[z.string(), null, '"F" must be text, but is empty: null'],
	[z.null(), 'a', '"F" must be empty, but is text: "a"'],
	[z.object({ a: z.string() }), {}, '"F → a" is required'],
	[z.object({ a: z.string() }), { a: 1 }, '"F → a" must be text, but is a number: 1'],
	[z.array(z.string()), ['a', [2]], '"F → entry 2" must be text, but is a list: [2]'],
	[z.string().refine(() => false, 'must be else'), 'a', '"F" must be else'],
])('a problem with a value: %#', (schema, value, problem) => {
	expect(parse(schema, value)).toEqual({ parsed: undefined, problems: [problem] });
});

test('each problem of a value is described', () => {
	const schema = z.object({ a: z.string(), b: z.object({ c: z.number() }) });
	expect(parse(schema, { a: 1, b: null }).problems).toEqual([
		'"F → a" must be text, but is a number: 1',
		'"F → b" must be an object, but is empty: null',
	]);
});

test('the value is returned as its schema changes it, and as it is without a schema', () => {
	expect(parse(z.string().trim(), ' a ')).toEqual({ parsed: 'a', problems: [] });
	const field = { name: 'f', displayName: 'F', type: 'options', default: '' } as Field;
	expect(parseFieldValue(field, 'F', 5, jest.fn())).toBe(5);
});

test.each([
	['a', '"a"'],
	['a\n\tb', '"a b"'],
	['x'.repeat(58), `"${'x'.repeat(58)}"`],
	['x'.repeat(59), `"${'x'.repeat(56)}…`],
	[undefined, 'undefined'],
	[[1, null], '[1,null]'],
])('%j is shown on one line of at most 60 characters', (value, text) => {
	expect(formatValue(value)).toBe(text);
});

test.each([
	['', 0],
	['ab', 2],
	['a😀b', 3],
	[12, 0],
])('%j has %d characters', (value, count) => {
	expect(countCharacters(value)).toBe(count);
});
