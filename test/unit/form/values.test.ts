/** Lengths of texts: a character is a code point, whatever it takes in UTF-16. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../../../nodes/core/form/field';
import { readParameters } from '../../../nodes/core/form/readParameters';

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

const read = (one: Field, text: unknown) => readParameters(form({ text }), [one], [], 0);

const five = '😀'.repeat(5);

test('five characters of two units each are five', () => {
	expect(read(field(z.string().max(5)), five)).toEqual({ values: { text: five }, problems: [] });
	expect(read(field(z.string().max(4)), five).problems).toEqual([
		'"Text" must have at most 4 characters, but has 5',
	]);
});

test('what a schema makes of a text is made of this one too', () => {
	const trimmed = field(
		z
			.string()
			.trim()
			.max(5)
			.transform((text) => ({ content: text })),
	);
	expect(read(trimmed, five).values).toEqual({ text: { content: five } });
});

test('so are the texts inside of a list, each in its place', () => {
	const scene = z
		.object({ script: z.string().max(5), note: z.string() })
		.transform(({ script }) => ({ type: 'scene', script }));
	const scenes = field(z.array(scene), { type: 'json' });
	const cat = '🐈'.repeat(4);
	const given = [
		{ script: five, note: five },
		{ script: 'plain', note: '' },
		{ script: cat, note: 'x' },
	];
	expect(read(scenes, given)).toEqual({
		values: {
			text: [
				{ type: 'scene', script: five },
				{ type: 'scene', script: 'plain' },
				{ type: 'scene', script: cat },
			],
		},
		problems: [],
	});
});

test('another complaint about the same value stays', () => {
	const noted = field(z.object({ script: z.string().max(5), note: z.string().max(1) }), {
		type: 'json',
	});
	expect(read(noted, { script: five, note: 'long' }).problems).toEqual([
		'"Text → note" must have at most 1 characters, but has 4',
	]);
	const checked = field(
		z
			.string()
			.max(5)
			.refine((text) => !text.includes('😀'), 'must have no faces'),
	);
	expect(read(checked, five).problems).toEqual(['"Text" must have no faces']);
});
