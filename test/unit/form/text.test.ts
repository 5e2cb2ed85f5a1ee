/** Limits on the length of texts: a character is a code point, whatever its size in UTF-16. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../../../nodes/core/form/field';
import { readParameters } from '../../../nodes/core/form/readParameters';
import { getTextSchemaLimits, createTextSchema } from '../../../nodes/core/form/validation';

const form = (parameters: Record<string, unknown>) =>
	({
		getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
	}) as unknown as Pick<IExecuteFunctions, 'getNodeParameter'>;

const field = (schema: z.ZodTypeAny, more: Partial<Field> = {}): Field => ({
	displayName: 'Text',
	name: 'text',
	type: 'string',
	default: '',
	schema,
	...more,
});

const read = (one: Field, value: unknown) => readParameters(form({ text: value }), [one], [], 0);

const fiveEmojis = '😀'.repeat(5);

test('an emoji counts as one character, although it has two UTF-16 units', () => {
	const accepted = { values: { text: fiveEmojis }, problems: [] };
	expect(read(field(createTextSchema({ min: 5, max: 5 })), fiveEmojis)).toEqual(accepted);
	expect(read(field(createTextSchema({ min: 0, max: 4 })), fiveEmojis).problems).toEqual([
		'"Text" must have at most 4 characters, but has 5',
	]);
	expect(read(field(createTextSchema({ min: 6, max: 10 })), fiveEmojis).problems).toEqual([
		'"Text" must have at least 6 characters, but has 5',
	]);
});

test('a text of the right length is trimmed and transformed as its schema says', () => {
	const schema = z
		.string()
		.trim()
		.pipe(createTextSchema({ min: 0, max: 5 }))
		.transform((content) => ({ content }));
	expect(read(field(schema), ` ${fiveEmojis} `).values).toEqual({ text: { content: fiveEmojis } });
});

test.each([
	['true', true],
	['TRUE', true],
	['false', false],
	['FALSE', false],
	[true, true],
])('a switch whose expression returns %j is %j', (value, isOn) => {
	const one = field(z.boolean(), { type: 'boolean' });
	expect(read(one, value)).toEqual({ values: { text: isOn }, problems: [] });
	expect(read(one, 'yes').problems).toHaveLength(1);
});

test('texts inside a list are counted the same way', () => {
	const scene = z
		.object({ script: createTextSchema({ min: 0, max: 5 }), note: z.string() })
		.transform(({ script }) => ({ type: 'scene', script }));
	const scenes = field(z.array(scene), { type: 'json' });
	const scripts = [fiveEmojis, 'plain'];
	const entries = scripts.map((script) => ({ script, note: fiveEmojis }));
	expect(read(scenes, entries)).toEqual({
		values: { text: scripts.map((script) => ({ type: 'scene', script })) },
		problems: [],
	});
	expect(read(scenes, [{ script: `${fiveEmojis}!`, note: '' }]).problems).toEqual([
		'"Text → entry 1 → script" must have at most 5 characters, but has 6',
	]);
});

test('other rules for the same value still apply', () => {
	const noted = field(
		z.object({
			script: createTextSchema({ min: 0, max: 5 }),
			note: createTextSchema({ min: 0, max: 1 }),
		}),
		{
			type: 'json',
		},
	);
	expect(read(noted, { script: fiveEmojis, note: 'long' }).problems).toEqual([
		'"Text → note" must have at most 1 character, but has 4',
	]);
	const checked = field(
		createTextSchema({ min: 0, max: 5 }).refine(
			(value) => !value.includes('😀'),
			'must have no faces',
		),
	);
	expect(read(checked, fiveEmojis).problems).toEqual(['"Text" must have no faces']);
});

test('the length is checked before any rule in a pipe', () => {
	const checkRule = jest.fn(() => true);
	const schema = createTextSchema({ min: 1, max: 5 }).pipe(z.string().refine(checkRule));
	expect(read(field(schema), 'too long').problems).toEqual([
		'"Text" must have at most 5 characters, but has 8',
	]);
	expect(checkRule).not.toHaveBeenCalled();
	expect(read(field(schema), 'short').problems).toEqual([]);
	expect(checkRule).toHaveBeenCalledTimes(1);
});

test('a value that is no text is rejected as one', () => {
	expect(read(field(createTextSchema({ min: 1, max: 5 })), { a: 1 }).problems).toEqual([
		'"Text" must be text, but is an object: {"a":1}',
	]);
});

test('the bounds of a text can be read from its schema', () => {
	expect(getTextSchemaLimits(createTextSchema({ min: 2, max: 5 }))).toEqual({ min: 2, max: 5 });
	expect(getTextSchemaLimits(z.string())).toBeUndefined();
});
